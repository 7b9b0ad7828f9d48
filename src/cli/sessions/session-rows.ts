import { renderCsv } from '../../report/csv.ts';
import type { Row, TableBlock } from '../../report/document.ts';
import { renderJsonl, rowsAsJson } from '../../report/jsonl.ts';
import { type ColumnSource, printedRow, SESSION_COLUMNS } from '../../session/columns.ts';
import { openSpill, SpillList, valuesOf } from '../../session/ingest/reading/spill-list.ts';
import { type RollupInput, rollup } from '../../session/rollup.ts';

const COLUMNS = SESSION_COLUMNS.map(({ key, style }) => ({ key, header: key, style }));

function tableOf(rows: readonly Row[]): TableBlock {
  return { kind: 'table', title: 'All sessions', columns: COLUMNS, rows };
}

function withoutHeader(csv: string): string {
  return csv.slice(csv.indexOf('\n') + 1);
}

/** What stands between the brackets of a list. */
function itemsOf(json: string): string {
  return json.slice(2, -2);
}

const ROWS_TOGETHER = 500;

/** One row per session, in the order of files, then of the sessions in them; there may be too many for memory. */
export class SessionRows {
  readonly #list = new SpillList<Row>(openSpill());
  readonly #parents = new Set<string>();

  get count(): number {
    return this.#list.count;
  }

  add(one: ColumnSource): void {
    this.#list.add(printedRow(one));
    if (one.session.parentSessionId !== undefined) this.#parents.add(one.session.parentSessionId);
  }

  /** All of them at once. */
  table(): TableBlock {
    return tableOf([...this.#rows()]);
  }

  /** As the formats print a table, a few rows at a time. */
  *print(format: 'csv' | 'jsonl' | 'json'): Generator<string> {
    let first = true;
    for (const rows of this.#batches()) {
      const table = tableOf(rows);
      if (format === 'jsonl') yield renderJsonl(table);
      else if (format === 'csv') yield first ? renderCsv(table) : withoutHeader(renderCsv(table));
      else if (rows.length > 0)
        yield `${first ? '[' : ','}\n${itemsOf(JSON.stringify(rowsAsJson(table), null, 2))}`;
      first = false;
    }
    if (format === 'json') yield this.count === 0 ? '[]\n' : '\n]\n';
  }

  /** Sessions that started others, and those that were started. */
  #families(): RollupInput[] {
    if (this.#parents.size === 0) return [];
    const families: RollupInput[] = [];
    for (const row of valuesOf<Row>(this.#list.portions())) {
      const [sessionId, parentSessionId] = [String(row.session_id), row.parent_session_id];
      if (parentSessionId === undefined && !this.#parents.has(sessionId)) continue;
      families.push({
        sessionId,
        ...(parentSessionId !== undefined && { parentSessionId: String(parentSessionId) }),
        ...(typeof row.q === 'number' && { q: row.q }),
        ...(typeof row.cost_usd === 'number' && { costUsd: row.cost_usd }),
      });
    }
    return families;
  }

  *#rows(): Generator<Row> {
    const rollups = rollup(this.#families());
    for (const row of valuesOf<Row>(this.#list.portions())) {
      const family = rollups.get(String(row.session_id));
      yield { ...row, total_cost_usd: family === undefined ? row.cost_usd : family.totalCostUsd };
    }
  }

  /** At least one, so that there is always a header. */
  *#batches(): Generator<readonly Row[]> {
    let rows: Row[] = [];
    for (const row of this.#rows()) {
      rows.push(row);
      if (rows.length < ROWS_TOGETHER) continue;
      yield rows;
      rows = [];
    }
    if (rows.length > 0 || this.count === 0) yield rows;
  }
}
