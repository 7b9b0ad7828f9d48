import { z } from 'zod';
import { run } from './run.ts';

/** A run as a list shows it: without its cases. */
export const runSummary = z.object({
  format: run.shape.format,
  version: run.shape.version,
  run: run.shape.run,
  suite: run.shape.suite.omit({ n_errored: true }),
  gate: run.shape.gate,
});
