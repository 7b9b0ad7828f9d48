import { resolve } from 'node:path';
import { compareFilesNext } from '../../decomposition/documents/next-steps.ts';
import { AssayError } from '../../errors.ts';
import { compareResults } from '../../operations/decomposition/compare-results.ts';
import { DEFAULT_FILES } from '../../operations/decomposition/defaults.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { readSettings } from '../settings.ts';
import { textOf } from '../text-of.ts';
import { compareNow } from './compare-now.ts';
import { COMPARE_OPTIONS } from './compare-options.ts';
import { strayOf } from './option-values.ts';
import { printRun } from './print-run.ts';
import { BASELINE_OPTION, RUN_OPTIONS } from './run-options.ts';
import { againstOf } from './run-request.ts';
import { thresholdsOf } from './standard-request.ts';

const OPTIONS = { baseline: BASELINE_OPTION, ...COMPARE_OPTIONS, ...RUN_OPTIONS };

export const command: Command = {
  name: 'decomposition compare',
  summary: 'What changed since the baseline, case by case, and whether it may go on',
  positionals: { usage: '[[BASELINE] RESULT]', max: 2 },
  options: OPTIONS,
  examples: [
    'assay decomposition compare',
    'assay decomposition compare --approve "fewer concepts on purpose, see the pull request"',
    'assay decomposition compare before.json after.json --format markdown',
  ],
  notes: [
    'Without files it measures now, as run does. A file is what run --format json --out FILE or baseline',
    'wrote.',
  ],
  run: async (args, terminal) => {
    const [first, second] = args.positionals;
    const named = textOf(args, 'baseline');
    if (second !== undefined && named !== undefined) {
      throw new AssayError('USAGE', 'two files and --baseline: one baseline is enough');
    }
    const path = resolve(
      terminal.cwd,
      second === undefined ? (named ?? DEFAULT_FILES.baseline) : (first ?? ''),
    );
    const result = second ?? first;
    if (result === undefined) return compareNow(args, terminal, path, givenOf(args, OPTIONS));
    return compareFiles(args, terminal, path, result);
  },
};

async function compareFiles(
  args: Arguments,
  terminal: Terminal,
  path: string,
  result: string,
): Promise<number> {
  const stray = strayOf(args, ['outputs', 'extractor', 'prompt', 'model', 'command']);
  if (stray !== undefined) {
    throw new AssayError('USAGE', `the result is in a file, so there is nothing for --${stray} to do`);
  }
  const { config } = await readSettings(args, terminal);
  const request = { result, against: againstOf(args, path), thresholds: thresholdsOf(args, config) };
  const run = await withPorts(args, terminal, (ports) => compareResults(request, ports));
  const next = compareFilesNext(args.positionals, givenOf(args, OPTIONS), 'comparison.html');
  await printRun(args, terminal, run, [next]);
  return run.verdict.gate.exitCode;
}
