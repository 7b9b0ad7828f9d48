import { encodeLazily } from '../../api/wire.ts';
import { runNotes, runView } from '../../decomposition/views/run-view.ts';
import type { SuiteRun } from '../../operations/decomposition/run-suite.ts';
import type { Action } from '../../report/action.ts';
import type { View } from '../../report/view.ts';
import type { Terminal } from '../command.ts';
import { type PrintArguments, printResult } from '../print-result.ts';

/** A run of the golden cases; `more` is what a command adds to it. */
export async function printRun(
  args: PrintArguments,
  terminal: Terminal,
  run: SuiteRun,
  next: readonly Action[],
  more: { readonly wire?: object; readonly document?: () => View } = {},
): Promise<void> {
  const wire = async () =>
    encodeLazily((await import('../../api/schema/decomposition.ts')).decompositionRun, {
      ...run,
      notes: runNotes(run),
    });
  await printResult(args, terminal, {
    document: more.document ?? (() => runView(run, next)),
    json: async () => ({ ...(await wire()), ...more.wire }),
    jsonl: async () => (await wire()).cases,
    csv: async () => (await import('../../report/verdict-view.ts')).verdictRows(run.verdict),
    junit: async () => (await import('../../report/junit.ts')).junitPieces(run.verdict),
  });
}
