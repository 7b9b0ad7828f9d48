/** A thread that reads files: takes the next one from the common list until none is left. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Job, takeJobs } from './jobs.ts';

const { jobs, counter } = workerData as { jobs: readonly Job[]; counter: SharedArrayBuffer };

await takeJobs(jobs, new Int32Array(counter), (index, outcome) => {
  const transfer = outcome.result === undefined ? [] : [outcome.result.keys.buffer as ArrayBuffer];
  parentPort?.postMessage({ index, outcome }, transfer);
});
