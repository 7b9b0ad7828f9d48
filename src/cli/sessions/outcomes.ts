import { encode } from '../../api/wire.ts';
import { listOutcomes } from '../../operations/session/list-outcomes.ts';
import { outcomesTable, outcomesView } from '../../session/views/outcomes.ts';
import { ALL_OPTION, CONFIG_OPTION, defineCommand, FORMAT_OPTION } from '../command.ts';
import { listWith, printResult } from '../print-result.ts';
import { ask } from './ask.ts';
import { OWN_STORE_OPTION, PATHS, REPO_OPTION, SCORING_OPTIONS } from './options.ts';
import { repositoriesOf, sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions outcomes',
  summary: 'Show the outcome of the work: committed, merged, still there a week later, or discarded',
  positionals: PATHS,
  options: {
    repo: REPO_OPTION,
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    'no-sync': SCORING_OPTIONS['no-sync'],
    'no-store': SCORING_OPTIONS['no-store'],
    fresh: SCORING_OPTIONS.fresh,
    ...OWN_STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay sessions outcomes',
    'assay sessions outcomes transcripts/ --repo ~/src/app --format csv > outcomes.csv',
    'assay sessions outcomes transcripts/ --repo /home/ann/app=~/src/app',
  ],
  notes: [
    'Assay only reads repositories and never changes or fetches them; git must be installed. Fetch first for the latest state.',
  ],
  run: async (args, terminal) => {
    const repositories = await repositoriesOf(args, terminal);
    const outcomes = await ask(args, terminal, ({ from }, ports) =>
      listOutcomes({ from, repositories, opinions: false }, ports),
    );
    await printResult(args, terminal, {
      ...listWith(
        async () => encode((await import('../../api/schema/session-outcomes.ts')).sessionOutcomes, outcomes),
        'outcomes',
        outcomesTable(outcomes),
      ),
      document: () => outcomesView(outcomes, sessionsGiven(args)),
    });
    // Nothing judged is never a success.
    return outcomes.outcomes.every(({ state }) => state === 'unknown') ? 2 : 0;
  },
});
