import { resolve } from 'node:path';
import { BASELINE_FILE, readBaseline } from '../../decomposition/baseline.ts';
import { AssayError } from '../../errors.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { measureRun } from './measure-run.ts';
import { compareAgain, investigateAgain, measureAgain, trendOf } from './next-commands.ts';
import { printRun } from './print-run.ts';
import { COMPARE_OPTIONS, RUN_OPTIONS, textOf } from './run-options.ts';
import { saveBaseline } from './save-baseline.ts';

export const command: Command = {
  name: 'decomposition run',
  summary: 'Measure extracted concepts and relationships against the golden cases, and gate on it',
  options: {
    baseline: { type: 'boolean', doc: 'Save this run as the baseline' },
    compare: { type: 'boolean', doc: 'Hold this run against the baseline' },
    'baseline-file': { type: 'string', value: 'FILE', doc: `Where it is (default ${BASELINE_FILE})` },
    ...COMPARE_OPTIONS,
    ...RUN_OPTIONS,
  },
  examples: [
    'assay decomposition run',
    'assay decomposition run --outputs outputs --format junit --out report.xml',
    'assay decomposition run --prompt decompose-concepts-v1.1 --model openai/gpt-5-mini --compare',
    'assay decomposition run --extractor command --command "python extract.py" --repeat 3',
  ],
  run: async (args, terminal) => {
    const { baseline, compare } = args.values;
    if (baseline === true && compare === true) {
      throw new AssayError('USAGE', '--baseline saves this run and --compare judges it: use one of them');
    }
    const path = resolve(terminal.cwd, textOf(args, 'baseline-file') ?? BASELINE_FILE);
    if (baseline === true) return saveBaseline(args, terminal, path);
    return compare === true ? runAgainst(args, terminal, path) : runAlone(args, terminal);
  },
};

async function runAlone(args: Arguments, terminal: Terminal): Promise<number> {
  const stray = Object.keys(COMPARE_OPTIONS).find((name) => args.values[name] !== undefined);
  if (stray !== undefined) throw new AssayError('USAGE', `--${stray} belongs to --compare`);
  const run = await measureRun(args, terminal, {
    next: [investigateAgain(args), measureAgain(args, 'baseline'), trendOf(args)],
  });
  await printRun(args, terminal, run);
  return run.verdict.gate.exitCode;
}

/** Also what `assay decomposition compare` does without files. */
export async function runAgainst(args: Arguments, terminal: Terminal, path: string): Promise<number> {
  const run = await measureRun(args, terminal, {
    baseline: { path, result: readBaseline(path) },
    next: [
      investigateAgain(args),
      compareAgain(args, terminal, path, '--format', 'html', '--out', 'comparison.html'),
    ],
  });
  await printRun(args, terminal, run);
  return run.verdict.gate.exitCode;
}
