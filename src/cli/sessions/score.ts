import { scoreSessions } from '../../operations/session/score-sessions.ts';
import { SessionRows } from '../../operations/session/session-rows.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { printResult } from '../print-result.ts';
import { ask } from './ask.ts';
import { PATHS, SCORE_OPTIONS } from './options.ts';
import { printSessions, type RowFormat } from './print-sessions.ts';
import { sessionsGiven } from './session-request.ts';

export const command: Command = {
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
      : await printForPeople(args, terminal);
    // Nothing scored is never a success.
    return count === 0 ? 2 : 0;
  },
};

async function printForMachines(args: Arguments, terminal: Terminal, format: RowFormat): Promise<number> {
  const rows = new SessionRows();
  const keep = args.values['no-store'] !== true;
  await ask(args, terminal, (request, ports) =>
    scoreSessions({ ...request, keep }, ports, (one) => rows.add(one)),
  );
  await printSessions(rows, format, terminal);
  return rows.count;
}

/** Of those worth a look: a table on a terminal shows no more. */
const SHOWN = 10;

/** A page has room for every session; a terminal shows the overview. */
async function printForPeople(args: Arguments, terminal: Terminal): Promise<number> {
  const { surveySessions } = await import('../../operations/session/survey-sessions.ts');
  const { overviewDocument } = await import('../../session/documents/overview.ts');
  const { sessionTable } = await import('../../session/documents/session-table.ts');
  const rows = args.values.format === 'table' ? undefined : new SessionRows();
  const keep = args.values['no-store'] !== true;
  const most = args.values.all === true ? undefined : SHOWN;
  const overview = await ask(args, terminal, (request, ports) =>
    surveySessions({ ...request, keep, most }, ports, rows && ((one) => rows.add(one))),
  );
  const every = rows === undefined ? [] : [...rows.rows()];
  await printResult(args, terminal, {
    json: () => every,
    document: () => {
      const document = overviewDocument(overview, { ...sessionsGiven(args, command.options), kept: keep });
      if (every.length === 0) return document;
      return { ...document, blocks: [...document.blocks, { ...sessionTable(every), folded: true }] };
    },
  });
  return overview.summary.n;
}
