import { AssayError } from '../../errors.ts';
import { collectRuns } from '../../workflow/ingest/collect-runs.ts';
import { expandPatterns } from '../../workflow/ingest/list-files.ts';
import {
  cellOfRuns,
  cellOfTallies,
  type Entrant,
  type RankedWorkflows,
  rank,
  type TaskCell,
} from '../../workflow/leaderboard.ts';
import { type ReviewInputs, readReviews } from './read-reviews.ts';

export type RankRequest = {
  /** Reviews, or files with scores per instance, which need no ground truth. */
  readonly inputs: ReviewInputs | { readonly scores: readonly string[]; readonly called?: string };
};

/** Ranks workflows over all tasks, and tests which of them differ. */
export function rankWorkflows({ inputs }: RankRequest): RankedWorkflows {
  if ('scores' in inputs) return rankScores(inputs.scores, inputs.called);
  const { name, arms, mappings, notes } = readReviews(inputs);
  const cells = arms.map(({ workflow, task, runs }) => ({ workflow, task, cell: cellOfRuns(runs) }));
  return { name, leaderboard: rank(entrantsOf(cells)), counted: false, mappings, notes };
}

function rankScores(patterns: readonly string[], called: string | undefined): RankedWorkflows {
  const { runs, mappings, notes } = collectRuns(expandPatterns(patterns), {
    workflow: called,
  });
  const named = runs.find(({ tally }) => tally === undefined);
  if (named !== undefined) {
    throw new AssayError('USAGE', `${named.path ?? named.run} contains findings without a ground truth`, {
      remedy: 'Name their ground truth too, or an experiment that holds several.',
    });
  }
  const groups = Map.groupBy(runs, ({ workflow, task }) => JSON.stringify([workflow, task]));
  const cells = [...groups.values()].flatMap((same) => {
    const [first] = same;
    const tallies = same.flatMap(({ tally }) => tally ?? []);
    return first === undefined
      ? []
      : [{ workflow: first.workflow, task: first.task, cell: cellOfTallies(tallies) }];
  });
  return {
    name: 'Scores per instance',
    leaderboard: rank(entrantsOf(cells)),
    counted: true,
    mappings,
    notes: [...new Set(notes)],
  };
}

function entrantsOf(
  cells: readonly { readonly workflow: string; readonly task: string; readonly cell: TaskCell }[],
): Entrant[] {
  return [...Map.groupBy(cells, ({ workflow }) => workflow)].map(([workflow, own]) => ({
    workflow,
    tasks: new Map(own.map(({ task, cell }) => [task, cell])),
  }));
}
