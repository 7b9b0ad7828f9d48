import { encodeDigest } from '../../api/encode/digest.ts';
import { AssayError } from '../../errors.ts';
import { digestSessions } from '../../operations/session/digest-sessions.ts';
import type { SessionFilter } from '../../operations/session/session-request.ts';
import { digestDocument, LOWEST_SHOWN } from '../../session/documents/digest.ts';
import type { Arguments, Command } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { look } from './ask.ts';
import { LOOKING_OPTIONS } from './looking-options.ts';
import { PATHS } from './options.ts';
import { sessionsGiven } from './session-request.ts';
import { sinceOption, untilOption } from './time-options.ts';

export const command: Command = {
  name: 'sessions digest',
  summary: 'What happened in the last day, week or so, and what changed since the time before',
  positionals: PATHS,
  options: {
    day: { type: 'boolean', doc: 'The last 24 hours' },
    week: { type: 'boolean', doc: 'The last seven days (default)' },
    format: DOCUMENT_FORMAT_OPTION,
    ...LOOKING_OPTIONS,
    since: {
      type: 'string',
      value: 'TIME',
      doc: 'The beginning of the period, instead of a day or week: 2026-11-01, or 30d, 12h',
    },
    until: { type: 'string', value: 'TIME', doc: 'The end of the period (default now)' },
  },
  examples: ['assay sessions digest --day', 'assay sessions digest --since 30d --format markdown'],
  run: async (args, terminal) => {
    const now = Date.now();
    const until = untilOption(args, now);
    const days = daysOf(args, until, now);
    const { flagBelow } = (await readSettings(args, terminal)).config.session;
    const most = args.values.format === 'json' ? undefined : LOWEST_SHOWN;
    const digest = await look(args, terminal, (request, ports) =>
      digestSessions(
        { ...request, filter: withoutPeriod(request.filter), days, until, flagBelow, most },
        ports,
      ),
    );
    await printResult(args, terminal, {
      json: () => encodeDigest(digest),
      document: () => digestDocument(digest, sessionsGiven(args, command.options)),
    });
    return digest.current.n === 0 ? 2 : 0;
  },
};

const DAY_MS = 86_400_000;

function daysOf(args: Arguments, until: number, now: number): number {
  const { day, week } = args.values;
  const since = sinceOption(args, now);
  const given = [day === true, week === true, since !== undefined].filter(Boolean);
  if (given.length > 1) throw new AssayError('USAGE', 'only one of --day, --week and --since');
  if (since === undefined) return day === true ? 1 : 7;
  if (since >= until) throw new AssayError('USAGE', '--since is not before the end of the period');
  return (until - since) / DAY_MS;
}

/** What was before the period is looked at too. */
function withoutPeriod({ since: _, until: __, ...filter }: SessionFilter = {}): SessionFilter {
  return filter;
}
