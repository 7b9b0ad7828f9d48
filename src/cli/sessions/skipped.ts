import { relative } from 'node:path';
import type { TableBlock } from '../../report/document.ts';
import { formatCount } from '../../report/number.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION, printTable } from '../print-report.ts';
import { loadSessions } from './load.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';

export const command: Command = {
  name: 'sessions skipped',
  summary: 'Lines and records that could not be used, per file and reason',
  positionals: PATHS,
  options: { format: FORMAT_OPTION, all: ALL_OPTION, ...SCORING_OPTIONS, ...STORE_OPTION, ...CONFIG_OPTION },
  examples: ['assay sessions skipped', 'assay sessions skipped transcripts/ --format csv'],
  run: async (args, terminal) => {
    const { files } = await loadSessions(args, terminal);
    const rows = files.flatMap((file) => [
      ...Object.entries(file.skipped).map(([reason, { count, firstLine }]) => ({
        path: shownPath(terminal.cwd, file.path),
        reason,
        count,
        line: firstLine,
      })),
      ...Object.entries(file.unknownRecords).map(([type, count]) => ({
        path: shownPath(terminal.cwd, file.path),
        reason: `unknown record: ${type}`,
        count,
        line: undefined,
      })),
    ]);
    const table: TableBlock = {
      kind: 'table',
      title: 'Skipped',
      limit: 20,
      columns: [
        { key: 'path', header: 'file', style: 'name' },
        { key: 'reason', header: 'reason', style: 'text' },
        { key: 'count', header: 'count', style: 'count' },
        { key: 'line', header: 'first line', style: 'count' },
      ],
      rows,
    };
    await printTable(args, terminal, table, () => ({
      title: 'Skipped',
      answer:
        rows.length === 0
          ? `Every line of ${formatCount(files.length)} files was used.`
          : `${formatCount(rows.length)} kinds of lines could not be used; the rest of their files was.`,
      blocks: rows.length === 0 ? [] : [table],
      notes: [],
      next: ['assay sessions score'],
    }));
    return 0;
  },
};

/** From here, where that is shorter. */
function shownPath(cwd: string, path: string): string {
  const near = relative(cwd, path);
  return near !== '' && near.length < path.length ? near : path;
}
