/** The words that the commands on reviews have in common, as requests. */
import { AssayError } from '../../errors.ts';
import { CHOICES } from '../../operations/workflow/choices.ts';
import type { ReviewFiles, ReviewInputs } from '../../operations/workflow/read-reviews.ts';
import { didYouMean } from '../../suggest.ts';
import type { Typed } from '../../workflow/documents/next-steps.ts';
import type { Minimums } from '../../workflow/policy.ts';
import type { OesComponent } from '../../workflow/weights.ts';
import type { Arguments, Options, Terminal } from '../command.ts';
import { givenOf } from '../given.ts';
import { readSettings } from '../settings.ts';
import { textOf } from '../text-of.ts';

export const LINE_TOLERANCE_OPTION: Options = {
  'line-tolerance': {
    type: 'string',
    value: 'N',
    doc: `Lines beside an error that still count in part (default: workflow.lineTolerance, ${CHOICES.lineTolerance})`,
  },
};

export const REVIEW_OPTIONS: Options = {
  truth: {
    type: 'string',
    value: 'FILE',
    doc: 'The ground truth: JSON, YAML, Markdown, or what another tool writes',
  },
  documents: { type: 'string', value: 'DIR', doc: 'The reviewed documents; quotes are looked up in them' },
  mapping: { type: 'string', value: 'FILE', doc: 'Severities and categories of other tools (JSON or YAML)' },
  ...LINE_TOLERANCE_OPTION,
};

export const OES_OPTION: Options = {
  oes: {
    type: 'string',
    value: 'PARTS',
    doc: `The parts of the overall effectiveness, e.g. wds,precision (default: ${CHOICES.oesComponents.join(',')})`,
  },
};

export const ARMS_USAGE = '[EXPERIMENT | RUN…]';

export const ARMS_OPTIONS: Options = {
  experiment: { type: 'string', value: 'PATH', doc: 'An experiment; also as a plain word without --truth' },
  runs: {
    type: 'string',
    value: 'PATH',
    doc: 'With --truth: files or folders with runs; more may follow as plain words',
  },
  ...REVIEW_OPTIONS,
  workflow: {
    type: 'string',
    value: 'NAME',
    doc: 'Only this workflow; also the name of runs in formats that have none',
  },
};

/** The options of these names that were given, under the same names. */
export function textsOf<Name extends string>(args: Arguments, ...names: Name[]): { [N in Name]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = textOf(args, name);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as { [N in Name]?: string };
}

export function typedOf(args: Arguments, options: Options): Typed {
  return { words: args.positionals, given: givenOf(args, options) };
}

/** As it was said on the command line, else in the configuration; another one is another matcher. */
export async function toleranceOf(
  args: Arguments,
  terminal: Terminal,
): Promise<{ readonly lineTolerance?: number }> {
  const text = textOf(args, 'line-tolerance');
  if (text !== undefined) {
    if (!/^\d{1,4}$/.test(text))
      throw new AssayError('USAGE', `--line-tolerance takes a whole number of lines, not "${text}"`);
    return { lineTolerance: Number(text) };
  }
  const { config } = await readSettings(args, terminal);
  return { lineTolerance: config.workflow.lineTolerance };
}

/** A ground truth and runs. */
export function filesOf(args: Arguments, command: string): ReviewFiles {
  const [truth, first, called] = [textOf(args, 'truth'), textOf(args, 'runs'), textOf(args, 'workflow')];
  const runs = [...(first === undefined ? [] : [first]), ...args.positionals];
  if (truth === undefined || runs.length === 0) {
    throw new AssayError('USAGE', `assay ${command} needs --truth FILE and --runs PATH`);
  }
  return { truth, runs, ...textsOf(args, 'documents', 'mapping'), ...(called !== undefined && { called }) };
}

/** An experiment, or a ground truth and runs. */
export function inputsOf(args: Arguments, command: string): ReviewInputs {
  const [truth, named] = [textOf(args, 'truth'), textOf(args, 'experiment')];
  if (truth !== undefined) {
    if (named !== undefined) throw twoTruths();
    if (textOf(args, 'runs') === undefined && args.positionals.length === 0)
      throw new AssayError('USAGE', `assay ${command} --truth also needs --runs PATH`);
    return filesOf(args, command);
  }
  const [experiment, ...more] = [...(named === undefined ? [] : [named]), ...args.positionals];
  if (experiment === undefined)
    throw new AssayError('USAGE', `assay ${command} needs an experiment, or --truth FILE and --runs PATH`);
  if (more.length > 0) {
    throw new AssayError('USAGE', `assay ${command} takes one experiment, and "${more[0]}" is a second`, {
      remedy: 'Runs without an experiment need their ground truth: --truth FILE.',
    });
  }
  return { experiment };
}

export function twoTruths(): AssayError {
  return new AssayError(
    'USAGE',
    'an experiment has its own ground truths: give --truth or --experiment, not both',
  );
}

export function oesOption(args: Arguments): readonly OesComponent[] {
  const text = textOf(args, 'oes');
  if (text === undefined) return CHOICES.oesComponents;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !CHOICES.oesComponents.some((one) => one === name));
  if (unknown !== undefined) {
    throw new AssayError(
      'USAGE',
      `--oes takes ${CHOICES.oesComponents.join(', ')}, not "${unknown}"${didYouMean(unknown, CHOICES.oesComponents)}`,
    );
  }
  return names as OesComponent[];
}

export function metricOption(option: string, key: string, keys: readonly string[]): string {
  if (keys.includes(key)) return key;
  throw new AssayError('USAGE', `--${option}: there is no metric "${key}"${didYouMean(key, keys)}`, {
    remedy: `It is one of ${keys.join(', ')}.`,
  });
}

export function minimumsOption(args: Arguments): Minimums {
  const keys = CHOICES.gateable();
  const text = textOf(args, 'min');
  const parts = text === undefined ? [] : text.split(',');
  return new Map(
    parts.map((part) => {
      const [name = '', value = ''] = part.split('=').map((word) => word.trim());
      const key = metricOption('min', name, keys);
      if (value === '' || !Number.isFinite(Number(value))) {
        throw new AssayError('USAGE', `--min: ${key} needs a number, e.g. ${key}=60`);
      }
      const fault = CHOICES.minimumFault(key, Number(value));
      if (fault !== undefined)
        throw new AssayError('USAGE', `--min: ${fault.message}`, { remedy: fault.remedy });
      return [key, Number(value)] as const;
    }),
  );
}
