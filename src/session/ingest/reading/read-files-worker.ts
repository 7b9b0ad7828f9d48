/** A thread of `read-files.ts`: reads batches of files and answers each with their outcomes. */
import { parentPort } from 'node:worker_threads';
// Loaded while the thread starts: needed with the first file.
import './read-file.ts';
import { type FileJob, type FileOutcome, readJob } from './read-files.ts';

let reading: Promise<void> = Promise.resolve();
parentPort?.on('message', (batch: readonly FileJob[]) => {
  reading = reading.then(async () => {
    const outcomes: FileOutcome[] = [];
    for (const job of batch) outcomes.push(await readJob(job));
    const keys = outcomes.flatMap(({ result }) => result?.keys.buffer ?? []);
    parentPort?.postMessage(outcomes, keys as ArrayBuffer[]);
  });
});
