import { scoreRows } from '../../operations/session/score-sessions.ts';
import { type Arguments, defineCommand, type Terminal } from '../command.ts';
import { ask } from './ask.ts';
import { PATHS, SCORE_OPTIONS } from './options.ts';
import { printRows, type RowFormat } from './print-sessions.ts';
import { isStored } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions score',
  summary: 'Score agent sessions: what they did, how well, for how much',
  positionals: PATHS,
  options: SCORE_OPTIONS,
  examples: [
    'assay sessions score',
    'assay sessions score ~/.claude/projects --since 7d --format csv > scores.csv',
    'zcat old.jsonl.gz | assay sessions score - --format jsonl',
  ],
  run: async (args, terminal) => {
    const { format } = args.values;
    const isForMachines = format === 'csv' || format === 'jsonl' || format === 'json';
    const count = isForMachines
      ? await printForMachines(args, terminal, format)
      : await (await import('./print-overview.ts')).printOverview(args, terminal);
    // Nothing scored is never a success.
    return count === 0 ? 2 : 0;
  },
});

async function printForMachines(
  args: Arguments<typeof SCORE_OPTIONS>,
  terminal: Terminal,
  format: RowFormat,
): Promise<number> {
  const printed = printRows(format, terminal);
  const { sessions } = await ask(args, terminal, (request, ports) =>
    // No spread: it would compute the time zone, which rows do not need.
    scoreRows(
      Object.assign(request, { keep: isStored(args), signals: args.values.signals }),
      ports,
      printed.add,
    ),
  );
  await printed.end();
  return sessions;
}
