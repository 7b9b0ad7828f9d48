import { type ColumnSource, type ColumnValue, type PrintedRow, printedRow } from '../../session/columns.ts';
import { openSpill, SpillList, valuesOf } from '../../session/ingest/reading/spill-list.ts';
import { type RollupInput, rollup } from '../../session/rollup.ts';

/** One row per session, in the order in which they are added; there may be too many for memory. */
export class SessionRows {
  readonly #list = new SpillList<PrintedRow>(openSpill());
  readonly #parents = new Set<string>();

  get count(): number {
    return this.#list.count;
  }

  add(one: ColumnSource): void {
    this.#list.add(printedRow(one));
    if (one.session.parentSessionId !== undefined) this.#parents.add(one.session.parentSessionId);
  }

  /** When all are known: the cost of a session with those it started needs them. */
  *rows(): Generator<PrintedRow> {
    const rollups = rollup(this.#families());
    for (const row of valuesOf<PrintedRow>(this.#list.portions())) {
      const family = rollups.get(String(row.session_id));
      yield { ...row, total_cost_usd: family === undefined ? row.cost_usd : family.totalCostUsd };
    }
  }

  /** Sessions that started others, and those that were started. */
  #families(): RollupInput[] {
    if (this.#parents.size === 0) return [];
    const families: RollupInput[] = [];
    for (const row of valuesOf<PrintedRow>(this.#list.portions())) {
      const sessionId = String(row.session_id);
      if (row.parent_session_id === undefined && !this.#parents.has(sessionId)) continue;
      families.push({
        sessionId,
        parentSessionId: textIn(row.parent_session_id),
        q: numberIn(row.q),
        costUsd: numberIn(row.cost_usd),
      });
    }
    return families;
  }
}

function textIn(value: ColumnValue): string | undefined {
  return value === undefined ? undefined : String(value);
}

function numberIn(value: ColumnValue): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
