import { encodeLazily } from '../../api/wire.ts';
import { runDocument, runNotes } from '../../decomposition/documents/run-document.ts';
import type { SuiteRun } from '../../operations/decomposition/run-suite.ts';
import type { Action } from '../../report/action.ts';
import type { Document } from '../../report/document.ts';
import type { Terminal } from '../command.ts';
import { type PrintArguments, printResult } from '../print-result.ts';

/** A run of the golden cases; `more` is what a command adds to it. */
export async function printRun(
  args: PrintArguments,
  terminal: Terminal,
  run: SuiteRun,
  next: readonly Action[],
  more: { readonly wire?: object; readonly document?: () => Document } = {},
): Promise<void> {
  const wire = async () =>
    encodeLazily((await import('../../api/schema/decomposition.ts')).decompositionRun, {
      ...run,
      notes: runNotes(run),
    });
  await printResult(args, terminal, {
    document: more.document ?? (() => runDocument(run, next)),
    json: async () => ({ ...(await wire()), ...more.wire }),
    jsonl: async () => (await wire()).cases,
    csv: async () => (await import('../../report/verdict-document.ts')).verdictRows(run.verdict),
    junit: async () => (await import('../../report/junit.ts')).junitPieces(run.verdict),
  });
}
