import { encodeDigest } from '../../api/encode/digest.ts';
import { digestSessions } from '../../operations/session/digest-sessions.ts';
import type { SessionFilter } from '../../operations/session/session-request.ts';
import { digestDocument, LOWEST_SHOWN } from '../../session/documents/digest.ts';
import type { Command } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { ask } from './ask.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';
import { untilOption } from './time-options.ts';

export const command: Command = {
  name: 'sessions digest',
  summary: 'What happened in the last day or week, and what changed since the one before',
  positionals: PATHS,
  options: {
    day: { type: 'boolean', doc: 'The last 24 hours' },
    week: { type: 'boolean', doc: 'The last seven days (default)' },
    format: DOCUMENT_FORMAT_OPTION,
    ...SCORING_OPTIONS,
    until: { type: 'string', value: 'TIME', doc: 'The end of the period (default now)' },
  },
  examples: ['assay sessions digest --day', 'assay sessions digest --week --format markdown'],
  run: async (args, terminal) => {
    const until = untilOption(args, Date.now());
    const days = args.values.day === true ? 1 : 7;
    const { flagBelow } = (await readSettings(args, terminal)).config.session;
    const most = args.values.format === 'json' ? undefined : LOWEST_SHOWN;
    const digest = await ask(args, terminal, (request, ports) =>
      digestSessions({ ...request, filter: withoutEnd(request.filter), days, until, flagBelow, most }, ports),
    );
    await printResult(args, terminal, {
      json: () => encodeDigest(digest),
      document: () => digestDocument(digest, sessionsGiven(args, command.options)),
    });
    return digest.current.n === 0 ? 2 : 0;
  },
};

/** Its end is the end of the period: what was before is looked at too. */
function withoutEnd({ until: _, ...filter }: SessionFilter = {}): SessionFilter {
  return filter;
}
