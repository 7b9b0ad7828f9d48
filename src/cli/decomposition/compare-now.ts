import { compareNext, investigateNext } from '../../decomposition/documents/next-steps.ts';
import { compareToBaseline } from '../../operations/decomposition/compare-to-baseline.ts';
import type { Given } from '../../report/action.ts';
import type { Arguments, Terminal } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printRun } from './print-run.ts';
import { againstOf, runRequest } from './run-request.ts';

/** What `run --compare` and `compare` without files do. */
export async function compareNow(
  args: Arguments,
  terminal: Terminal,
  path: string,
  given: Given,
): Promise<number> {
  const request = { ...(await runRequest(args, terminal)), against: againstOf(args, path) };
  const run = await withPorts(args, terminal, (ports) => compareToBaseline(request, ports));
  await printRun(args, terminal, run, [investigateNext(given), compareNext(given, 'comparison.html')]);
  return run.verdict.gate.exitCode;
}
