/** The options that the commands on reviews have in common, and the requests they make. */
import { AssayError } from '../../errors.ts';
import { CHOICES } from '../../operations/workflow/defaults.ts';
import type { ReviewFiles, ReviewInputs } from '../../operations/workflow/read-reviews.ts';
import { didYouMean } from '../../suggest.ts';
import type { Typed } from '../../workflow/views/next-steps.ts';
import type { OesChoice, OesComponent } from '../../workflow/weights.ts';
import type { CONFIG_OPTION, Options, SomeArguments, Terminal } from '../command.ts';
import { readSettings } from '../settings.ts';

const LINE_TOLERANCE_OPTION = {
  'line-tolerance': {
    type: 'number',
    min: 0,
    max: 50,
    whole: true,
    value: 'N',
    doc: `Distance in lines from an error that still counts in part (default: workflow.lineTolerance, ${CHOICES.lineTolerance})`,
  },
} as const satisfies Options;

/** How findings are read and matched; the configuration may say it once for all commands. */
export const MATCHING_OPTIONS = {
  mapping: {
    type: 'path',
    value: 'FILE',
    doc: 'Severities and categories of other tools (JSON or YAML; default: workflow.mapping)',
  },
  ...LINE_TOLERANCE_OPTION,
} as const satisfies Options;

export const REVIEW_OPTIONS = {
  truth: {
    type: 'path',
    value: 'FILE',
    doc: 'The ground truth: JSON, YAML, Markdown, or the output of another tool',
  },
  documents: { type: 'path', value: 'DIR', doc: 'The reviewed documents, to look up quotes' },
  ...MATCHING_OPTIONS,
} as const satisfies Options;

export const OES_OPTION = {
  oes: {
    type: 'text',
    value: 'PARTS',
    doc: `The parts of the overall effectiveness, e.g. wds,precision, or with your own weights: wds=0.6,precision=0.4 (default: ${CHOICES.oesComponents.join(',')})`,
  },
} as const satisfies Options;

export const ARMS_USAGE = '[EXPERIMENT | RUN…]';

export const ARMS_OPTIONS = {
  experiment: {
    type: 'path',
    value: 'PATH',
    doc: 'An experiment; without --truth also as a positional argument',
  },
  runs: {
    type: 'path',
    value: 'PATH',
    doc: 'With --truth: files or folders with runs; more may follow as positional arguments',
  },
  ...REVIEW_OPTIONS,
  workflow: {
    type: 'text',
    value: 'NAME',
    doc: 'Only this workflow; also the name of runs in formats that have none',
  },
} as const satisfies Options;

/** What is missing where a ground truth or runs are. */
const TRUTH_AND_RUNS =
  'E.g. --truth truth/relay.yaml --runs runs/; assay workflow new drafts a ground truth from a review.';

type SettingsArguments<O extends Options> = {
  readonly values: SomeArguments<O & typeof CONFIG_OPTION>['values'];
};

export type ReviewArguments = SomeArguments<typeof ARMS_OPTIONS & typeof CONFIG_OPTION>;

export function typedOf({ positionals, given }: Pick<ReviewArguments, 'positionals' | 'given'>): Typed {
  return { words: positionals, given };
}

/** As typed, else as configured; another line tolerance is another matcher. */
export async function matchingOf(
  args: SettingsArguments<typeof MATCHING_OPTIONS>,
  terminal: Terminal,
): Promise<{ readonly lineTolerance: number; readonly mapping?: string }> {
  const { workflow } = (await readSettings(args, terminal)).config;
  const { mapping = workflow.mapping, 'line-tolerance': lineTolerance = workflow.lineTolerance } =
    args.values;
  return { lineTolerance, ...(mapping !== undefined && { mapping }) };
}

/** A ground truth and runs. */
export function filesOf(
  {
    values,
    positionals,
  }: Omit<ReviewArguments, 'values'> & { readonly values: Partial<ReviewArguments['values']> },
  command: string,
): ReviewFiles {
  const { truth, runs: first, workflow: called, documents } = values;
  const runs = [...(first === undefined ? [] : [first]), ...positionals];
  if (truth === undefined || runs.length === 0) {
    throw new AssayError('USAGE', `assay ${command} needs a ground truth and runs`, {
      remedy: TRUTH_AND_RUNS,
    });
  }
  return { truth, runs, documents, called };
}

/** The same with how they are matched. */
export async function inputsWithMatching(
  args: ReviewArguments,
  terminal: Terminal,
  command: string,
): Promise<ReviewInputs> {
  return { ...inputsOf(args, command), ...(await matchingOf(args, terminal)) };
}

/** An experiment, or a ground truth and runs. */
function inputsOf(args: ReviewArguments, command: string): ReviewInputs {
  const { truth, experiment: named } = args.values;
  if (truth !== undefined) {
    if (named !== undefined) throw twoTruths();
    return filesOf(args, command);
  }
  const [experiment, ...more] = [...(named === undefined ? [] : [named]), ...args.positionals];
  if (experiment === undefined)
    throw new AssayError('USAGE', `assay ${command} needs an experiment, or a ground truth and runs`, {
      remedy: `Name the folder with experiment.yaml, e.g. assay ${command} my-review/, or both parts: --truth truth/relay.yaml --runs runs/.`,
    });
  if (more.length > 0) {
    throw new AssayError(
      'USAGE',
      `assay ${command} takes one experiment, but got a second one, "${more[0]}"`,
      {
        remedy: 'Runs without an experiment need their ground truth, e.g. --truth truth/relay.yaml.',
      },
    );
  }
  return { experiment };
}

export function twoTruths(): AssayError {
  return new AssayError(
    'USAGE',
    'an experiment has its own ground truths: give --truth or --experiment, not both',
  );
}

/** The parts of the overall effectiveness: with weights of their own, names only, or those of the configuration. */
export async function oesOption(
  args: SettingsArguments<typeof OES_OPTION>,
  terminal: Terminal,
): Promise<OesChoice> {
  const text = args.values.oes;
  const parts = (text ?? '').split(',').map((part) => part.split('=').map((word) => word.trim()));
  if (text !== undefined && parts.some((part) => part.length > 1)) return weightsOf(parts);
  const { weights } = (await readSettings(args, terminal)).config.workflow;
  return { components: text === undefined ? CHOICES.oesComponents : knownParts(parts.flat()), weights };
}

function weightsOf(parts: readonly (readonly string[])[]): OesChoice {
  const components = knownParts(parts.map(([name = '']) => name));
  const values = parts.map(([, value = '']) => (value === '' ? Number.NaN : Number(value)));
  const sum = values.reduce((total, value) => total + value, 0);
  const isComplete = values.every((value) => value >= 0 && value <= 1) && Math.abs(sum - 1) <= 1e-9;
  if (!isComplete || new Set(components).size < parts.length || parts.some((part) => part.length !== 2)) {
    throw new AssayError(
      'USAGE',
      `--oes takes weights that sum to 1, one for each part, not "${partsText(parts)}"`,
      {
        remedy: 'E.g. --oes wds=0.6,precision=0.4.',
      },
    );
  }
  const given = new Map(components.map((one, i) => [one, values[i] ?? 0]));
  const [wds = 0, precision = 0, dq = 0, te = 0] = CHOICES.oesComponents.map((one) => given.get(one));
  return { components, weights: { wds, precision, dq, te } };
}

function partsText(parts: readonly (readonly string[])[]): string {
  return parts.map((part) => part.join('=')).join(',');
}

function knownParts(names: readonly string[]): readonly OesComponent[] {
  const unknown = names.find((name) => !CHOICES.oesComponents.some((one) => one === name));
  if (unknown !== undefined) {
    throw new AssayError(
      'USAGE',
      `--oes takes ${CHOICES.oesComponents.join(', ')}, not "${unknown}"${didYouMean(unknown, CHOICES.oesComponents)}`,
    );
  }
  return names as OesComponent[];
}
