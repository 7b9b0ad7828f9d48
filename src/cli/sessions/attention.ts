import { encode } from '../../api/wire.ts';
import { type AttentionResult, listAttention } from '../../operations/session/needs-attention.ts';
import { plain } from '../../report/unsafe-text.ts';
import { attentionTable, attentionView } from '../../session/views/attention.ts';
import { defineCommand, FORMAT_OPTION, type Terminal } from '../command.ts';
import { listWith, printResult } from '../print-result.ts';
import { look } from './ask.ts';
import { LOOKING_OPTIONS, PATHS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions attention',
  summary: 'Sessions that need attention: what went wrong, the line that proves it, and the cost',
  positionals: PATHS,
  options: {
    gate: {
      type: 'flag',
      doc: 'End with exit code 1 when a session needs attention, 2 when something could not be read',
    },
    'no-titles': { type: 'flag', doc: 'Do not read transcripts for quotes' },
    format: FORMAT_OPTION,
    ...LOOKING_OPTIONS,
  },
  examples: ['assay sessions attention --since 24h', 'assay sessions attention --gate'],
  notes: [
    'At most seven sessions, ranked by what went wrong and by cost. Quotes are read from the transcripts and never stored.',
  ],
  run: async (args, terminal) => {
    const withUnread = args.values.gate;
    const titles = args.values['no-titles'] ? undefined : { environment: terminal.env };
    const found = await look(args, terminal, (request, ports) =>
      listAttention({ ...request, titles, withUnread }, ports),
    );
    await printResult(args, terminal, {
      ...listWith(
        async () => encode((await import('../../api/schema/session-lists.ts')).sessionAttention, found),
        'sessions',
        attentionTable(found),
      ),
      document: () => attentionView(found, sessionsGiven(args)),
    });
    const blocked = args.values.gate ? gateOf(found, terminal) : 0;
    return blocked === 0 && found.sessions === 0 ? 2 : blocked;
  },
});

/** A session that needs attention blocks whatever was not read; without one, only having looked at everything is a pass. */
function gateOf({ inAll, unread }: AttentionResult, terminal: Terminal): number {
  if (inAll > 0) return 1;
  for (const { path, why } of unread)
    terminal.note(`assay: the gate is inconclusive: ${plain(path)} was not read: ${plain(why)}\n`);
  return unread.length > 0 ? 2 : 0;
}
