import { listQueried } from '../../operations/session/list-sessions.ts';
import { printedRows } from '../../operations/session/score-sessions.ts';
import { surveySessions } from '../../operations/session/survey-sessions.ts';
import type { PrintedRow } from '../../session/columns.ts';
import type { ListedSession } from '../../session/session-groups.ts';
import { overviewView, sessionTable } from '../../session/views/overview.ts';
import { linesTable } from '../../session/views/session-list.ts';
import type { Arguments, Terminal } from '../command.ts';
import { printResult } from '../print-result.ts';
import { ask } from './ask.ts';
import type { SCORE_OPTIONS } from './options.ts';
import { isStored, sessionsGiven } from './session-request.ts';

/** A screen has what to look at first, with `--all` every session as a line; a page also every column. */
export async function printOverview(
  args: Arguments<typeof SCORE_OPTIONS>,
  terminal: Terminal,
): Promise<number> {
  const isPage = args.values.format !== 'table';
  const isAll = !isPage && args.values.all;
  const keep = isStored(args);
  const titles = { environment: terminal.env };
  const columns: PrintedRow[] = [];
  let every: readonly ListedSession[] = [];
  const overview = await ask(args, terminal, (request, ports) =>
    surveySessions({ ...request, keep, titles }, ports, async (asked) => {
      if (isPage) for await (const row of printedRows(asked)) columns.push(row);
      if (isAll) every = (await listQueried(asked, { sort: 'date', titles }, ports)).listed;
    }),
  );
  await printResult(args, terminal, {
    json: () => columns,
    document: () => {
      const document = overviewView(overview, { ...sessionsGiven(args), kept: keep });
      const more = [
        ...(every.length === 0
          ? []
          : [linesTable('Every session, newest first', every, { timezone: overview.timezone })]),
        ...(columns.length === 0 ? [] : [{ ...sessionTable(columns), folded: true }]),
      ];
      return { ...document, blocks: [...document.blocks, ...more] };
    },
  });
  return overview.summary.n;
}
