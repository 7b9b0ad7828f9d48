import { encodeSessionRow } from '../../api/session-row.ts';
import type { SessionRows } from '../../operations/session/session-rows.ts';
import { renderCsv } from '../../report/csv.ts';
import { escapeJson } from '../../report/unsafe-text.ts';
import type { PrintedRow } from '../../session/columns.ts';
import { sessionTable } from '../../session/views/overview.ts';
import type { Terminal } from '../command.ts';
import { waitForDrain } from '../wait-for-drain.ts';

export type RowFormat = 'csv' | 'jsonl' | 'json';

/** A few rows at a time: there may be more than fit in memory, and a slow reader holds the others back. */
export async function printSessions(rows: SessionRows, format: RowFormat, terminal: Terminal): Promise<void> {
  for (const text of FORMATS[format](rows)) {
    terminal.print(text);
    await waitForDrain(process.stdout);
  }
}

const FORMATS = { csv: csvOf, jsonl: jsonlOf, json: jsonOf } as const satisfies Record<
  RowFormat,
  (rows: SessionRows) => Generator<string>
>;

function* csvOf(rows: SessionRows): Generator<string> {
  let first = true;
  for (const some of batches(rows)) {
    const csv = renderCsv(sessionTable(some));
    yield first ? csv : csv.slice(csv.indexOf('\n') + 1);
    first = false;
  }
}

function* jsonlOf(rows: SessionRows): Generator<string> {
  for (const some of batches(rows))
    yield some.map((row) => `${escapeJson(JSON.stringify(encodeSessionRow(row)))}\n`).join('');
}

function* jsonOf(rows: SessionRows): Generator<string> {
  if (rows.count === 0) {
    yield '[]\n';
    return;
  }
  let before = '[';
  for (const some of batches(rows)) {
    // What stands between the brackets of a list.
    yield `${before}\n${escapeJson(JSON.stringify(some.map(encodeSessionRow), null, 2)).slice(2, -2)}`;
    before = ',';
  }
  yield '\n]\n';
}

/** Their text stays among the young objects: what is longer is collected late. */
const ROWS_TOGETHER = 50;

/** At least one, so that there is always a header. */
function* batches(rows: SessionRows): Generator<readonly PrintedRow[]> {
  let some: PrintedRow[] = [];
  for (const row of rows.rows()) {
    some.push(row);
    if (some.length < ROWS_TOGETHER) continue;
    yield some;
    some = [];
  }
  if (some.length > 0 || rows.count === 0) yield some;
}
