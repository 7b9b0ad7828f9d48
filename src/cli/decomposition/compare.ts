import { resolve } from 'node:path';
import { compareFilesNext, compareNext, investigateNext } from '../../decomposition/views/next-steps.ts';
import { AssayError } from '../../errors.ts';
import { compareToBaseline } from '../../operations/decomposition/baseline.ts';
import { compareResults } from '../../operations/decomposition/compare-results.ts';
import { DEFAULT_FILES } from '../../operations/decomposition/defaults.ts';
import { defineCommand, type SomeArguments, type Terminal } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { readSettings } from '../settings.ts';
import {
  againstOf,
  BASELINE_OPTION,
  COMPARE_OPTIONS,
  printRun,
  RUN_OPTIONS,
  runRequest,
  strayOf,
  thresholdsOf,
} from './run-options.ts';

type CompareArguments = SomeArguments<typeof COMPARE_OPTIONS & typeof RUN_OPTIONS>;

export const command = defineCommand({
  name: 'decomposition compare',
  summary: 'Compare with the baseline, case by case, and gate on regressions',
  positionals: { usage: '[[BASELINE] RESULT]', max: 2 },
  options: { 'baseline-file': BASELINE_OPTION, ...COMPARE_OPTIONS, ...RUN_OPTIONS },
  examples: [
    'assay decomposition compare',
    'assay decomposition compare --approve "fewer concepts on purpose, see the pull request"',
    'assay decomposition compare before.json after.json --format markdown',
  ],
  notes: [
    'Without files it measures now, as run does. A file is what run --format json --out FILE or baseline',
    'wrote.',
  ],
  audited: ({ values }) => ((values.approve ?? values.reason) === undefined ? undefined : ''),
  run: async (args, terminal) => {
    const [first, second] = args.positionals;
    const named = args.values['baseline-file'];
    if (second !== undefined && named !== undefined) {
      throw new AssayError('USAGE', 'two files and --baseline-file name two baselines; use one');
    }
    const path = resolve(
      terminal.cwd,
      second === undefined ? (named ?? DEFAULT_FILES.baseline) : (first ?? ''),
    );
    const result = second ?? first;
    if (result === undefined) return compareNow(args, terminal, path);
    return compareFiles(args, terminal, path, result);
  },
});

async function compareFiles(
  args: CompareArguments,
  terminal: Terminal,
  path: string,
  result: string,
): Promise<number> {
  const stray = strayOf(args.given, ['outputs', 'extractor', 'prompt', 'model', 'command']);
  if (stray !== undefined) {
    throw new AssayError('USAGE', `--${stray} has no effect on a result from a file`);
  }
  const { config } = await readSettings(args, terminal);
  const request = { result, against: againstOf(args, path), thresholds: thresholdsOf(args, config) };
  const run = await withPorts(args, terminal, (ports) => compareResults(request, ports));
  const next = compareFilesNext(args.positionals, args.given, 'comparison.html');
  await printRun(args, terminal, run, [next]);
  return run.verdict.gate.exitCode;
}

/** What `run --compare` and `compare` without files do. */
export async function compareNow(args: CompareArguments, terminal: Terminal, path: string): Promise<number> {
  const request = { ...(await runRequest(args, terminal)), against: againstOf(args, path) };
  const run = await withPorts(args, terminal, (ports) => compareToBaseline(request, ports));
  await printRun(args, terminal, run, [
    investigateNext(args.given),
    compareNext(args.given, 'comparison.html'),
  ]);
  return run.verdict.gate.exitCode;
}
