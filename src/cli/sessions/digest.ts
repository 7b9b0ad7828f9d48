import { encode } from '../../api/wire.ts';
import { AssayError } from '../../errors.ts';
import { digestSessions } from '../../operations/session/digest-sessions.ts';
import type { SessionFilter } from '../../operations/session/session-request.ts';
import { digestView } from '../../session/views/digest.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';
import { look } from './ask.ts';
import { LOOKING_OPTIONS, PATHS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions digest',
  summary: 'Summarise the last day, week or period, and what changed since the one before',
  positionals: PATHS,
  options: {
    day: { type: 'flag', doc: 'The last 24 hours' },
    week: { type: 'flag', doc: 'The last seven days (default)' },
    format: DOCUMENT_FORMAT_OPTION,
    ...LOOKING_OPTIONS,
    since: {
      type: 'time',
      value: 'TIME',
      doc: 'Start of the period, instead of a day or week: 2026-11-01, or 30d, 12h',
    },
    until: { type: 'time', end: true, value: 'TIME', doc: 'End of the period (default now)' },
  },
  examples: ['assay sessions digest --day', 'assay sessions digest --since 30d --format markdown'],
  run: async (args, terminal) => {
    const until = args.values.until ?? Date.now();
    const days = daysOf(args.values, until);
    const titles = { environment: terminal.env };
    const digest = await look(args, terminal, (request, ports) =>
      digestSessions({ ...request, filter: withoutPeriod(request.filter), days, until, titles }, ports),
    );
    await printResult(args, terminal, {
      json: async () => encode((await import('../../api/schema/digest.ts')).digest, digest),
      document: () => digestView(digest, sessionsGiven(args)),
    });
    return digest.current.n === 0 ? 2 : 0;
  },
});

type Period = { readonly day: boolean; readonly week: boolean; readonly since?: number };

function daysOf({ day, week, since }: Period, until: number): number {
  if ([day, week, since !== undefined].filter(Boolean).length > 1)
    throw new AssayError('USAGE', 'give only one of --day, --week and --since');
  if (since === undefined) return day ? 1 : 7;
  if (since >= until) throw new AssayError('USAGE', '--since is not before the end of the period');
  return Math.round((until - since) / 1000) / 86_400;
}

/** What was before the period is looked at too. */
function withoutPeriod({ since: _, until: __, ...filter }: SessionFilter = {}): SessionFilter {
  return filter;
}
