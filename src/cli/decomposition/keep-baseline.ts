import { relative } from 'node:path';
import { baselineDocument, sayNotSaved } from '../../decomposition/documents/baseline-document.ts';
import { compareNext, pageNext } from '../../decomposition/documents/next-steps.ts';
import { saveBaseline } from '../../operations/decomposition/save-baseline.ts';
import type { Given } from '../../report/action.ts';
import type { Arguments, Terminal } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printRun } from './print-run.ts';
import { runRequest } from './run-request.ts';

/** What `run --baseline` and `baseline` do. A run that was not kept ends as the gate says. */
export async function keepBaseline(
  args: Arguments,
  terminal: Terminal,
  path: string,
  given: Given,
): Promise<number> {
  const request = { ...(await runRequest(args, terminal)), baseline: path };
  const kept = await withPorts(args, terminal, (ports) => saveBaseline(request, ports));
  const next = [compareNext(given), pageNext(given, 'report.html')];
  if (!kept.saved) {
    await printRun(args, terminal, kept, next);
    terminal.note(`${sayNotSaved(kept.gaps)}\n`);
    return kept.verdict.gate.exitCode || 2;
  }
  await printRun(args, terminal, kept, next, {
    wire: { baseline: path },
    document: () => baselineDocument(kept, relative(terminal.cwd, path), next),
  });
  return 0;
}
