import { resolve } from 'node:path';
import { baselineNext, investigateNext, trendNext } from '../../decomposition/documents/next-steps.ts';
import { AssayError } from '../../errors.ts';
import { DEFAULT_FILES } from '../../operations/decomposition/defaults.ts';
import { runSuite } from '../../operations/decomposition/run-suite.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { textOf } from '../text-of.ts';
import { COMPARE_OPTIONS } from './compare-options.ts';
import { strayOf } from './option-values.ts';
import { printRun } from './print-run.ts';
import { RUN_OPTIONS } from './run-options.ts';
import { runRequest } from './run-request.ts';

const OPTIONS = {
  baseline: { type: 'boolean', doc: 'Save this run as the baseline' },
  compare: { type: 'boolean', doc: 'Hold this run against the baseline' },
  'baseline-file': { type: 'string', value: 'FILE', doc: `Where it is (default ${DEFAULT_FILES.baseline})` },
  ...COMPARE_OPTIONS,
  ...RUN_OPTIONS,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'decomposition run',
  summary: 'Measure extracted concepts and relationships against the golden cases, and gate on it',
  options: OPTIONS,
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
    if (baseline !== true && compare !== true) return runAlone(args, terminal);
    const path = resolve(terminal.cwd, textOf(args, 'baseline-file') ?? DEFAULT_FILES.baseline);
    const given = givenOf(args, OPTIONS);
    if (baseline === true)
      return (await import('./keep-baseline.ts')).keepBaseline(args, terminal, path, given);
    return (await import('./compare-now.ts')).compareNow(args, terminal, path, given);
  },
};

async function runAlone(args: Arguments, terminal: Terminal): Promise<number> {
  const stray = strayOf(args, Object.keys(COMPARE_OPTIONS));
  if (stray !== undefined) throw new AssayError('USAGE', `--${stray} belongs to --compare`);
  const request = await runRequest(args, terminal);
  const run = await withPorts(args, terminal, (ports) => runSuite(request, ports));
  const given = givenOf(args, OPTIONS);
  await printRun(args, terminal, run, [
    investigateNext(given),
    baselineNext(given),
    ...(given['no-history'] === true ? [] : [trendNext(given)]),
  ]);
  return run.verdict.gate.exitCode;
}
