/** The words that say which reviews are meant, as requests. */
import { AssayError } from '../../errors.ts';
import type { ReviewFiles, ReviewInputs } from '../../operations/workflow/read-reviews.ts';
import type { Typed } from '../../workflow/documents/next-steps.ts';
import type { Arguments, Options, Terminal } from '../command.ts';
import { givenOf } from '../given.ts';
import { readSettings } from '../settings.ts';
import { textOf } from '../text-of.ts';
import { TRUTH_AND_RUNS } from './options.ts';

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
    throw new AssayError('USAGE', `assay ${command} needs a ground truth and runs`, {
      remedy: TRUTH_AND_RUNS,
    });
  }
  return { truth, runs, ...textsOf(args, 'documents', 'mapping'), ...(called !== undefined && { called }) };
}

/** An experiment, or a ground truth and runs. */
export function inputsOf(args: Arguments, command: string): ReviewInputs {
  const [truth, named] = [textOf(args, 'truth'), textOf(args, 'experiment')];
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
    throw new AssayError('USAGE', `assay ${command} takes one experiment, and "${more[0]}" is a second`, {
      remedy: 'Runs without an experiment need their ground truth, e.g. --truth truth/relay.yaml.',
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
