import { resolve } from 'node:path';
import { baselineNext, investigateNext, trendNext } from '../../decomposition/views/next-steps.ts';
import { AssayError } from '../../errors.ts';
import { DEFAULT_FILES } from '../../operations/decomposition/defaults.ts';
import { runSuite } from '../../operations/decomposition/run-suite.ts';
import { defineCommand, type Terminal } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import {
  COMPARE_OPTIONS,
  printRun,
  RUN_OPTIONS,
  type RunArguments,
  runRequest,
  strayOf,
} from './run-options.ts';

export const command = defineCommand({
  name: 'decomposition run',
  summary: 'Measure extracted concepts and relationships against the golden cases, and gate on it',
  options: {
    baseline: { type: 'flag', doc: 'Save this run as the baseline' },
    compare: { type: 'flag', doc: 'Compare this run with the baseline' },
    'baseline-file': {
      type: 'path',
      value: 'FILE',
      doc: `The baseline file (default ${DEFAULT_FILES.baseline})`,
    },
    ...COMPARE_OPTIONS,
    ...RUN_OPTIONS,
  },
  examples: [
    'assay decomposition run',
    'assay decomposition run --outputs outputs --format junit --out report.xml',
    'assay decomposition run --prompt decompose-concepts-v1.1 --model openai/gpt-5-mini --compare',
    'assay decomposition run --extractor command --command "python extract.py" --repeat 3',
  ],
  audited: ({ values }) => (values.baseline ? '' : undefined),
  run: async (args, terminal) => {
    const { baseline, compare, 'baseline-file': file = DEFAULT_FILES.baseline } = args.values;
    if (baseline && compare)
      throw new AssayError('USAGE', '--baseline saves this run and --compare judges it: use one of them');
    const path = resolve(terminal.cwd, file);
    if (baseline) return (await import('./baseline.ts')).saveAsBaseline(args, terminal, path);
    if (compare) return (await import('./compare.ts')).compareNow(args, terminal, path);
    return runAlone(args, terminal);
  },
});

async function runAlone(args: RunArguments, terminal: Terminal): Promise<number> {
  const stray = strayOf(args.given, Object.keys(COMPARE_OPTIONS));
  if (stray !== undefined) throw new AssayError('USAGE', `--${stray} belongs to --compare`);
  const request = await runRequest(args, terminal);
  const run = await withPorts(args, terminal, (ports) => runSuite(request, ports));
  const { given } = args;
  await printRun(args, terminal, run, [
    investigateNext(given),
    baselineNext(given),
    ...(given['no-history'] === true ? [] : [trendNext(given)]),
  ]);
  return run.verdict.gate.exitCode;
}
