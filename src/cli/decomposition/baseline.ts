import { relative, resolve } from 'node:path';
import { compareNext, pageNext } from '../../decomposition/views/next-steps.ts';
import { baselineView, sayNotSaved } from '../../decomposition/views/run-view.ts';
import { saveBaseline } from '../../operations/decomposition/baseline.ts';
import { DEFAULT_FILES } from '../../operations/decomposition/defaults.ts';
import { defineCommand, type Terminal } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { BASELINE_OPTION, printRun, RUN_OPTIONS, type RunArguments, runRequest } from './run-options.ts';

export const command = defineCommand({
  name: 'decomposition baseline',
  summary: 'Measure the golden cases and save the result as the baseline for later runs',
  options: { 'baseline-file': BASELINE_OPTION, ...RUN_OPTIONS },
  examples: [
    'assay decomposition baseline',
    'assay decomposition baseline --outputs outputs --baseline-file baselines/gpt-5.json',
  ],
  notes: [
    'Exit codes: 0 it was saved, whatever the gate would say; 1 or 2 it was not saved, because cases',
    'could not be measured; 3 could not run.',
  ],
  audited: () => '',
  run: (args, terminal) => {
    const path = resolve(terminal.cwd, args.values['baseline-file'] ?? DEFAULT_FILES.baseline);
    return saveAsBaseline(args, terminal, path);
  },
});

/** What `run --baseline` and `baseline` do. A run that was not saved ends as the gate says. */
export async function saveAsBaseline(args: RunArguments, terminal: Terminal, path: string): Promise<number> {
  const request = { ...(await runRequest(args, terminal)), baseline: path };
  const saved = await withPorts(args, terminal, (ports) => saveBaseline(request, ports));
  const { given } = args;
  const next = [compareNext(given), pageNext(given, 'report.html')];
  if (!saved.saved) {
    await printRun(args, terminal, saved, next);
    terminal.note(`${sayNotSaved(saved.gaps)}\n`);
    return saved.verdict.gate.exitCode || 2;
  }
  await printRun(args, terminal, saved, next, {
    wire: { baseline: path },
    document: () => baselineView(saved, relative(terminal.cwd, path), next),
  });
  return 0;
}
