import { AssayError } from '../../errors.ts';
import { metricKey } from '../../measure/metric.ts';
import { openStore, storeExists } from '../../store/open.ts';
import { didYouMean } from '../../suggest.ts';
import { runMetrics } from '../../workflow/catalog.ts';
import { compareJson } from '../../workflow/compare/compare-json.ts';
import { compareSides } from '../../workflow/compare/compare-sides.ts';
import { exitCodeOf } from '../../workflow/compare/comparison-verdict.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION, type Terminal } from '../command.ts';
import { ALL_OPTION, DOCUMENT_FORMAT_OPTION, printDocument } from '../print-report.ts';
import { readSettings } from '../settings.ts';
import { compareDocument } from './compare-document.ts';
import { type Sides, sidesFromExperiment, sidesFromFiles, sidesFromStore } from './comparison-sides.ts';
import { oesOption, REVIEW_OPTIONS, textOf } from './options.ts';
import { snakeCase } from './snake-case.ts';

export const command: Command = {
  name: 'workflow compare',
  summary: 'Is the new version of a review better, or is the difference noise?',
  positionals: { usage: 'BASELINE CANDIDATE', max: 2 },
  options: {
    experiment: { type: 'string', value: 'PATH', doc: 'An experiment that holds both workflows' },
    ...REVIEW_OPTIONS,
    primary: {
      type: 'string',
      value: 'METRIC',
      default: 'dr',
      doc: 'The metric that decides, named before looking',
    },
    insist: { type: 'boolean', doc: 'Compare although ground truth or matcher differ' },
    gate: { type: 'boolean', doc: 'Exit with 1 when it is worse, with 2 when it cannot be told' },
    format: DOCUMENT_FORMAT_OPTION,
    all: ALL_OPTION,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay workflow compare review-1 review-2 --experiment examples/workflow',
    'assay workflow compare examples/workflow/runs/review-1 examples/workflow/runs/review-2 --truth examples/workflow/truth/webhook-relay.yaml --gate',
  ],
  notes: [
    'Without --truth and --experiment both are names of workflows that assay workflow score has scored.',
    'Exit codes: 2 when the two cannot be compared; with --gate also 1 for worse, 2 for too few to tell.',
  ],
  run: async (args, terminal) => {
    const { before, after, mappings, notes } = await readSides(args, terminal);
    const comparison = compareSides(before, after, {
      primary: primaryOption(args),
      components: oesOption(args),
      insist: args.values.insist === true,
    });
    const data = snakeCase({ ...compareJson(comparison), mappings, notes });
    await printDocument(args, terminal, data, () => compareDocument(comparison, notes));
    return exitCodeOf(comparison.verdict.verdict, args.values.gate === true);
  },
};

async function readSides(args: Arguments, terminal: Terminal): Promise<Sides> {
  const [a, b] = args.positionals;
  if (a === undefined || b === undefined) {
    throw new AssayError(
      'USAGE',
      'assay workflow compare needs two workflows: the baseline and the candidate',
    );
  }
  const [truth, experiment] = [textOf(args, 'truth'), textOf(args, 'experiment')];
  if (truth !== undefined && experiment !== undefined) {
    throw new AssayError(
      'USAGE',
      'an experiment has its own ground truths: give --truth or --experiment, not both',
    );
  }
  if (truth !== undefined) return sidesFromFiles(args, truth, a, b);
  if (experiment !== undefined) return sidesFromExperiment(experiment, a, b);
  const { store: place } = await readSettings(args, terminal);
  if (!storeExists(place.address)) {
    throw new AssayError('USAGE', `there is no store at ${place.address} to find ${a} and ${b} in`, {
      remedy: 'Name files with --truth FILE, or an experiment with --experiment DIR.',
    });
  }
  const store = await openStore(place.address);
  try {
    return await sidesFromStore(store, a, b);
  } finally {
    await store.close();
  }
}

function primaryOption(args: Arguments): string {
  const name = textOf(args, 'primary') ?? 'dr';
  const keys = runMetrics().map(({ id }) => metricKey(id));
  if (keys.includes(name)) return name;
  throw new AssayError('USAGE', `--primary: there is no metric "${name}"${didYouMean(name, keys)}`, {
    remedy: `It is one of ${keys.join(', ')}.`,
  });
}
