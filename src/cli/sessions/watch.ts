import { sessionEvent } from '../../api/schema/session-event.ts';
import { encode } from '../../api/wire.ts';
import type { SessionLiveEvent } from '../../operations/session/session-event.ts';
import { watchSessions } from '../../operations/session/watch-sessions.ts';
import { formatAmount } from '../../report/number.ts';
import { escapeJson } from '../../report/unsafe-text.ts';
import { liveLine } from '../../session/views/status-line.ts';
import { CONFIG_OPTION, defineCommand } from '../command.ts';
import { hookMarks } from '../hooks/change.ts';
import { openPorts } from '../open-ports.ts';
import { readSettings } from '../settings.ts';
import { OWN_STORE_OPTION, PATHS, SCORING_OPTIONS } from './options.ts';
import { sessionRequest, transcriptsOf } from './session-request.ts';

const { weights, baselines, prices, repo, 'no-git': noGit } = SCORING_OPTIONS;

export const command = defineCommand({
  name: 'sessions watch',
  summary: 'Score live sessions, and print when one starts, changes and ends',
  positionals: PATHS,
  options: {
    format: {
      type: 'choice',
      choices: ['text', 'jsonl'],
      default: 'text',
      doc: 'A line for people, or JSON',
    },
    silence: {
      type: 'duration',
      value: 'TIME',
      doc: 'A session without new lines for this long has ended: 15m, 90s, 2h (default 15m)',
    },
    ...{ weights, baselines, prices, repo, 'no-git': noGit },
    'no-store': { type: 'flag', doc: 'Do not store scores and facts' },
    ...OWN_STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay sessions watch', 'assay sessions watch ~/.claude/projects --silence 5m --format jsonl'],
  notes: [
    'Ctrl-C stops it after scoring what was written before. A session that continues after its end is scored again under the same key.',
  ],
  run: async (args, terminal) => {
    const { scoring, repositories } = await sessionRequest(args, terminal);
    const { config } = await readSettings(args, terminal);
    const ports = openPorts(args, terminal, 'all');
    const print = args.values.format === 'jsonl' ? jsonLine : liveLine;
    const stopped = new Promise((resolve) => ports.signal.addEventListener('abort', resolve, { once: true }));
    try {
      const watched = await watchSessions(
        {
          from: transcriptsOf(args, terminal),
          ...(scoring && { scoring }),
          ...(repositories && { repositories }),
          silenceMs: args.values.silence ?? 60_000 * config.session.silenceMinutes,
          keep: !args.values['no-store'],
          marks: hookMarks(terminal),
        },
        { ...ports, signal: new AbortController().signal },
        (event) => terminal.print(`${print(event)}\n`),
      );
      const { sessions, open } = watched.follower.counts;
      terminal.progress('');
      terminal.note(
        `assay: watching ${formatAmount(sessions, 'session')}, ${open} of them open; press Ctrl-C to stop.\n`,
      );
      await stopped;
      await watched.stop();
      return 0;
    } finally {
      await ports.close();
    }
  },
});

function jsonLine(event: SessionLiveEvent): string {
  return escapeJson(JSON.stringify(encode(sessionEvent, event)));
}
