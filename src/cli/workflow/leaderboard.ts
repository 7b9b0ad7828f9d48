import { encode } from '../../api/wire.ts';
import { type RankRequest, rankWorkflows } from '../../operations/workflow/rank-workflows.ts';
import { leaderboardTable, leaderboardView, pairTable } from '../../workflow/views/leaderboard.ts';
import { ALL_OPTION, CONFIG_OPTION, defineCommand, FORMAT_OPTION, type Terminal } from '../command.ts';
import { listWith, printResult } from '../print-result.ts';
import { ARMS_OPTIONS, ARMS_USAGE, inputsWithMatching, type ReviewArguments, typedOf } from './options.ts';

export const command = defineCommand({
  name: 'workflow leaderboard',
  summary: 'Rank workflows over all tasks: F1 with its interval, and which differ clearly',
  positionals: { usage: ARMS_USAGE, max: Number.POSITIVE_INFINITY },
  options: {
    ...ARMS_OPTIONS,
    format: FORMAT_OPTION,
    table: {
      type: 'choice',
      choices: ['workflows', 'pairs'],
      default: 'workflows',
      doc: 'The table that csv and jsonl print',
    },
    all: ALL_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay workflow leaderboard examples/workflow',
    'assay workflow leaderboard examples/workflow --format csv --table pairs',
  ],
  notes: [
    'Scores per instance need no ground truth: --runs FILE… alone; they have only DR, P and F1.',
    'Exit codes: 0 measured, 2 nothing could be measured, 3 could not run.',
  ],
  run: async (args, terminal) => {
    const ranked = rankWorkflows({ inputs: await rankedInputs(args, terminal) });
    const { leaderboard } = ranked;
    const asPairs = args.values.table === 'pairs';
    await printResult(args, terminal, {
      ...listWith(
        async () => encode((await import('../../api/schema/workflow.ts')).workflowLeaderboard, ranked),
        asPairs ? 'pairs' : 'workflows',
        (asPairs ? pairTable : leaderboardTable)(leaderboard),
      ),
      document: () => leaderboardView(ranked, typedOf(args)),
    });
    return leaderboard.rows.some(({ f1 }) => f1.measured) ? 0 : 2;
  },
});

/** Runs without a ground truth can only be files of scores. */
async function rankedInputs(args: ReviewArguments, terminal: Terminal): Promise<RankRequest['inputs']> {
  const { truth, runs, workflow: called, experiment } = args.values;
  if (truth === undefined && runs !== undefined && experiment === undefined)
    return { scores: [runs, ...args.positionals], called };
  return inputsWithMatching(args, terminal, 'workflow leaderboard');
}
