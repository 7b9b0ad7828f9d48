/** A thread that reads files: takes the next one from the common list until none is left. */
import { parentPort } from 'node:worker_threads';
import { loadFormats } from '../formats/load-formats.ts';
// Needed with the first file: loaded while the thread starts.
import './read-file.ts';
import type { FromThread, TellResult, ToRead } from './reader-thread.ts';
import { takeFiles } from './share-files.ts';

/** Results of so many bytes go together: for a small file telling of it takes as long as reading it. */
const TOLD_TOGETHER_BYTES = 4 * 1024 * 1024;
const TOLD_TOGETHER = 16;

void loadFormats();
parentPort?.on('message', async (what: ToRead) => {
  let [told, bytes]: [TellResult[], number] = [[], 0];
  const tell = (): void => {
    const keys = told.flatMap(({ outcome }) => outcome.result?.keys.buffer ?? []);
    parentPort?.postMessage(told satisfies FromThread, keys as ArrayBuffer[]);
    [told, bytes] = [[], 0];
  };
  await takeFiles(what, (index, outcome) => {
    told.push({ index, outcome });
    bytes += what.jobs[index]?.bytes ?? 0;
    if (bytes >= TOLD_TOGETHER_BYTES || told.length >= TOLD_TOGETHER) tell();
  });
  tell();
  parentPort?.postMessage('done' satisfies FromThread);
});
