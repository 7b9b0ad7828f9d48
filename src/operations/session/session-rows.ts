import { type ColumnSource, type ColumnValue, type PrintedRow, printedRow } from '../../session/columns.ts';
import { familiesOf, type Relative } from '../../session/families.ts';
import {
  openSpill,
  type Portion,
  portionText,
  SpillList,
  valuesOf,
} from '../../session/ingest/reading/spill-list.ts';
import { rollup } from '../../session/rollup.ts';

/** All that rows are, as text, one portion a line. */
export type RowsAsText = {
  readonly count: number;
  readonly parents: readonly string[];
  readonly rows: string;
};

/** One row per session, in the order in which they are added; there may be too many for memory. */
export class SessionRows {
  readonly #list = new SpillList<PrintedRow>(openSpill());
  readonly #parents: Set<string>;
  readonly #before: RowsAsText | undefined;

  /** `before`: rows that are there already. */
  constructor(before?: RowsAsText) {
    this.#before = before;
    this.#parents = new Set(before?.parents);
  }

  get count(): number {
    return (this.#before?.count ?? 0) + this.#list.count;
  }

  asText(): RowsAsText {
    const rows = this.#portions().map(portionText).join('\n');
    return { count: this.count, parents: [...this.#parents], rows };
  }

  add(one: ColumnSource): void {
    this.#list.add(printedRow(one));
    if (one.session.parentSessionId !== undefined) this.#parents.add(one.session.parentSessionId);
  }

  /** When all are known: the cost of a session with those it started needs them. */
  *rows(): Generator<PrintedRow> {
    const { families, uncertain } = familiesOf(this.#related());
    const rollups = rollup(families);
    for (const row of valuesOf<PrintedRow>(this.#portions())) {
      const key = String(row.session_key);
      const family = rollups.get(key);
      const total = uncertain.has(key) ? undefined : family?.totalCostUsd;
      yield { ...row, total_cost_usd: family === undefined ? row.cost_usd : total };
    }
  }

  #portions(): readonly Portion[] {
    const before = this.#before?.rows.split('\n').map((json) => ({ json })) ?? [];
    return [...before, ...this.#list.portions()];
  }

  /** Sessions that started others, and those that were started. */
  #related(): Relative[] {
    if (this.#parents.size === 0) return [];
    const related: Relative[] = [];
    for (const row of valuesOf<PrintedRow>(this.#portions())) {
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
