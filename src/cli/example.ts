import { measureExample } from '../operations/measure-examples.ts';
import { carry } from '../report/action.ts';
import { verdictView } from '../report/verdict-view.ts';
import { ALL_OPTION, CONFIG_OPTION, defineCommand, RUN_FORMAT_OPTION, STORING_OPTIONS } from './command.ts';
import { printRun } from './decomposition/run-options.ts';
import { withPorts } from './open-ports.ts';
import { readSettings } from './settings.ts';

export const command = defineCommand({
  name: 'example',
  summary:
    'Measure a bundled example and show what a result looks like: decomposition, workflow, sessions or production',
  positionals: { usage: '[decomposition|workflow|sessions|production]', max: 1 },
  options: {
    format: RUN_FORMAT_OPTION,
    all: ALL_OPTION,
    pace: {
      type: 'number',
      min: 0.1,
      max: 60,
      value: 'SECONDS',
      default: 1,
      doc: 'With production: how long a simulated minute takes',
    },
    ...STORING_OPTIONS,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay example',
    'assay example workflow',
    'assay example production',
    'assay example --format html > report.html',
  ],
  notes: [
    'Results are stored only if you name a store.',
    'production runs a small service for a minute and monitors it; its results stay in a separate store in the temp folder.',
  ],
  run: async (args, terminal) => {
    const [which = 'decomposition'] = args.positionals;
    if (which === 'production')
      return (await import('./production/example-production.ts')).exampleProduction(args, terminal);
    if (which !== 'decomposition')
      return (await import('./other-examples.ts')).printOther(which, args, terminal);
    const { store, config } = await readSettings(args, terminal);
    const { decomposition } = config;
    // An example is not your result: it is stored only where you name a store.
    const keep = store.from !== 'default';
    const request = { thresholds: decomposition, matchLevel: decomposition.matchLevel, keep };
    const run = await withPorts(args, terminal, (ports) => measureExample(request, ports));
    const same = carry(args.given, ['store', 'config']);
    const next = [
      { operation: 'metrics' },
      ...(keep
        ? [{ operation: 'runs', options: same }]
        : [{ operation: 'example', positionals: ['workflow'] }]),
      { operation: 'example', options: { format: 'html', ...same }, into: 'report.html' },
    ];
    await printRun(args, terminal, run, next, { document: () => verdictView(run.verdict, next) });
    return run.verdict.gate.exitCode;
  },
});
