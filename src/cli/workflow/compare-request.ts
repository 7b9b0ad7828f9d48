/** The words that name the two sides of a comparison. */
import { AssayError } from '../../errors.ts';
import type { SidesFrom } from '../../operations/workflow/comparison-sides.ts';
import type { Arguments, Terminal } from '../command.ts';
import { textOf } from '../text-of.ts';
import { textsOf, toleranceOf, twoTruths } from './review-request.ts';

export function twoWorkflows(args: Arguments): { readonly baseline: string; readonly candidate: string } {
  const [baseline, candidate, ...more] = args.positionals;
  if (more.length > 0 && textOf(args, 'runs') === undefined) {
    throw new AssayError('USAGE', `assay workflow compare takes two workflows, and "${more[0]}" is a third`, {
      remedy:
        'Runs of both may be named by themselves: --truth truth/relay.yaml --runs runs/; a leaderboard takes many workflows.',
    });
  }
  if (baseline === undefined || candidate === undefined) {
    throw new AssayError(
      'USAGE',
      'assay workflow compare needs two workflows: the baseline and the candidate',
    );
  }
  return { baseline, candidate };
}

export async function sidesFrom(args: Arguments, terminal: Terminal): Promise<SidesFrom> {
  const { truth, experiment, runs, ...rest } = textsOf(
    args,
    'truth',
    'experiment',
    'runs',
    'documents',
    'mapping',
  );
  if (truth !== undefined && experiment !== undefined) throw twoTruths();
  if (runs !== undefined && truth === undefined)
    throw new AssayError('USAGE', 'assay workflow compare --runs also needs a ground truth', {
      remedy: 'E.g. --truth truth/relay.yaml.',
    });
  const tolerance = await toleranceOf(args, terminal);
  if (truth !== undefined) {
    const files = { truth, ...rest, ...tolerance };
    return runs === undefined ? files : { ...files, runs: [runs, ...args.positionals.slice(2)] };
  }
  if (experiment !== undefined) return { experiment, ...tolerance };
  return 'store';
}
