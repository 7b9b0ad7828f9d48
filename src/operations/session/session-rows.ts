import { type ColumnSource, type ColumnValue, type PrintedRow, printedRow } from '../../session/columns.ts';
import { familiesOf, type Relative, rollup } from '../../session/families.ts';

/** One row per session, in the order in which they are added. */
export class SessionRows {
  readonly #list: PrintedRow[] = [];
  readonly #parents = new Set<string>();

  get count(): number {
    return this.#list.length;
  }

  add(one: ColumnSource): void {
    this.#list.push(printedRow(one));
    if (one.session.parentSessionId !== undefined) this.#parents.add(one.session.parentSessionId);
  }

  /** When all are known: the cost of a session with those it started needs them. */
  *rows(): Generator<PrintedRow> {
    const { families, uncertain } = familiesOf(this.#related());
    const rollups = rollup(families);
    for (const row of this.#list) {
      const key = String(row.session_key);
      const family = rollups.get(key);
      const total = uncertain.has(key) ? undefined : family?.totalCostUsd;
      yield { ...row, total_cost_usd: family === undefined ? row.cost_usd : total };
    }
  }

  /** Sessions that started others, and those that were started. */
  #related(): Relative[] {
    if (this.#parents.size === 0) return [];
    const related: Relative[] = [];
    for (const row of this.#list) {
      const id = String(row.session_id);
      if (row.parent_session_id === undefined && !this.#parents.has(id)) continue;
      related.push({
        key: String(row.session_key),
        id,
        parentId: textIn(row.parent_session_id),
        source: String(row.source),
        path: String(row.path),
        q: numberIn(row.q),
        costUsd: numberIn(row.cost_usd),
      });
    }
    return related;
  }
}

function textIn(value: ColumnValue): string | undefined {
  return value === undefined ? undefined : String(value);
}

function numberIn(value: ColumnValue): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
