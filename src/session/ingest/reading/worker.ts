/** A thread that reads files: takes the next one from the common list until none is left. */
import { parentPort } from 'node:worker_threads';
import { loadFormats } from '../formats/load-formats.ts';
// Needed with the first file: loaded while the thread starts.
import './read-file.ts';
import type { FromThread, ToRead } from './reader-thread.ts';
import { takeFiles } from './share-files.ts';

void loadFormats();
parentPort?.on('message', async (what: ToRead) => {
  await takeFiles(what, (index, outcome) => {
    const transfer = outcome.result === undefined ? [] : [outcome.result.keys.buffer as ArrayBuffer];
    parentPort?.postMessage({ index, outcome } satisfies FromThread, transfer);
  });
  parentPort?.postMessage('done' satisfies FromThread);
});
