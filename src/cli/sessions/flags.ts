import { encodeFlags } from '../../api/encode/session-lists.ts';
import { flagSessions } from '../../operations/session/flag-sessions.ts';
import { flagDocument, flagTable } from '../../session/documents/flags.ts';
import type { Command } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION } from '../format-options.ts';
import { printResult, rowsWith } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { ask } from './ask.ts';
import { PATHS, SCORING_OPTIONS, shareOption } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command: Command = {
  name: 'sessions flags',
  summary: 'Sessions that scored too low to ignore (Q below 0.40)',
  positionals: PATHS,
  options: {
    below: {
      type: 'string',
      value: '0..1',
      doc: 'Flag sessions with a lower Q (default 0.4, or the configuration)',
    },
    gate: { type: 'boolean', doc: 'End with exit code 1 when a session is flagged' },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    ...SCORING_OPTIONS,
  },
  examples: ['assay sessions flags --since 24h', 'assay sessions flags --gate --below 0.5'],
  run: async (args, terminal) => {
    const below = shareOption(args, 'below') ?? (await readSettings(args, terminal)).config.session.flagBelow;
    const flags = await ask(args, terminal, (request, ports) => flagSessions({ ...request, below }, ports));
    await printResult(args, terminal, {
      ...rowsWith(encodeFlags(flags), flagTable(flags)),
      document: () => flagDocument(flags, sessionsGiven(args, command.options)),
    });
    if (flags.scored === 0) return 2;
    return args.values.gate === true && flags.flagged.length > 0 ? 1 : 0;
  },
};
