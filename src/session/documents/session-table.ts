import type { Row, TableBlock } from '../../report/document.ts';
import { type PrintedRow, SESSION_COLUMNS } from '../columns.ts';

const COLUMNS = SESSION_COLUMNS.map(({ key, style }) => ({ key, header: key, style }));

export const ALL_SESSIONS = 'All sessions';

/** Every column of these sessions. */
export function sessionTable(rows: readonly PrintedRow[]): TableBlock {
  return { kind: 'table', title: ALL_SESSIONS, columns: COLUMNS, rows: rows.map(cellsOf) };
}

function cellsOf(row: PrintedRow): Row {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'boolean' ? String(value) : value]),
  );
}
