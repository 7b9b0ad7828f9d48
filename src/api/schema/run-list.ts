import { pageOf } from './page-of.ts';
import { runSummary } from './run-summary.ts';

/** Runs, newest first. */
export const runList = pageOf('assay-run-list', runSummary);
