import { encode } from '../../api/wire.ts';
import { type Flags, flagSessions } from '../../operations/session/flag-sessions.ts';
import { plain } from '../../report/unsafe-text.ts';
import { flagTable, flagView, SHOWN } from '../../session/views/flags.ts';
import { ALL_OPTION, defineCommand, FORMAT_OPTION, type Terminal } from '../command.ts';
import { listWith, printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { look } from './ask.ts';
import { LOOKING_OPTIONS, PATHS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions flags',
  summary: 'Sessions that scored too low to ignore (Q below 0.40)',
  positionals: PATHS,
  options: {
    below: {
      type: 'number',
      min: 0,
      max: 1,
      value: '0..1',
      doc: 'Flag sessions with a lower Q (default 0.4, or the configuration)',
    },
    gate: {
      type: 'flag',
      doc: 'End with exit code 1 when a session is flagged, 2 when something could not be read',
    },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    ...LOOKING_OPTIONS,
  },
  examples: ['assay sessions flags --since 24h', 'assay sessions flags --gate --below 0.5'],
  run: async (args, terminal) => {
    const below = args.values.below ?? (await readSettings(args, terminal)).config.session.flagBelow;
    // A table on a terminal shows the first; every other format has them all.
    const most = args.values.format === 'table' && !args.values.all ? SHOWN : undefined;
    const withUnread = args.values.gate;
    const flags = await look(args, terminal, (request, ports) =>
      flagSessions({ ...request, below, most, withUnread }, ports),
    );
    await printResult(args, terminal, {
      ...listWith(
        async () => encode((await import('../../api/schema/session-lists.ts')).sessionFlags, flags),
        'flagged',
        flagTable(flags),
      ),
      document: () => flagView(flags, sessionsGiven(args)),
    });
    if (flags.scored === 0) return 2;
    return args.values.gate ? gateOf(flags, terminal) : 0;
  },
});

/** A flag blocks whatever was not read; without one, only having looked at everything is a pass. */
function gateOf({ flagged, unread }: Flags, terminal: Terminal): number {
  if (flagged.length > 0) return 1;
  for (const { path, why } of unread)
    terminal.note(`assay: the gate is inconclusive: ${plain(path)} was not read: ${plain(why)}\n`);
  return unread.length > 0 ? 2 : 0;
}
