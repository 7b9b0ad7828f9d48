import { encode } from '../../api/wire.ts';
import { rescoreSessions } from '../../operations/session/rescore-sessions.ts';
import { rescoredView } from '../../session/views/rescored.ts';
import { CONFIG_OPTION, DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';
import { ask } from './ask.ts';
import { OWN_STORE_OPTION, SCORING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

const { weights, baselines, prices, repo, 'no-git': noGit } = SCORING_OPTIONS;

export const command = defineCommand({
  name: 'sessions rescore',
  summary: 'Score again what the store remembers, with this version or with other weights',
  options: {
    ...{ weights, baselines, prices, repo, 'no-git': noGit },
    format: DOCUMENT_FORMAT_OPTION,
    ...OWN_STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay sessions rescore', 'assay sessions rescore --weights weights.json'],
  notes: [
    'Only sessions that were scored with something else are scored; when it is stopped, the next call goes on with the rest. What a file of people said of sessions is not in the store: score their transcripts again to attach it.',
  ],
  audited: () => '',
  run: async (args, terminal) => {
    const rescored = await ask(args, terminal, ({ scoring = {}, repositories }, ports) =>
      rescoreSessions({ scoring, ...(repositories && { repositories }) }, ports),
    );
    await printResult(args, terminal, {
      json: async () => encode((await import('../../api/schema/session-lists.ts')).sessionRescored, rescored),
      document: () => rescoredView(rescored, sessionsGiven(args)),
    });
    return rescored.sessions === 0 ? 2 : 0;
  },
});
