import { type PrintedRow, printedRow } from '../../session/columns.ts';
import { familiesOf, rollup } from '../../session/families.ts';
import type { LeftOut } from '../../session/results.ts';
import type { SessionSummary, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { type AskedSessions, askSessions } from './ask-sessions.ts';
import type { SessionRequest } from './session-request.ts';

/** One row per session, as it is printed, file by file. */
export async function scoreRows(
  request: SessionRequest,
  ports: Ports,
  take: (row: PrintedRow) => void | Promise<void>,
): Promise<LeftOut & { readonly sessions: number }> {
  return askSessions(request, ports, async (asked) => {
    let sessions = 0;
    for await (const row of printedRows(asked)) {
      sessions += 1;
      await take(row);
    }
    return { sessions };
  });
}

export async function* printedRows(asked: AskedSessions): AsyncGenerator<PrintedRow> {
  const totals = await totalCosts(asked.store);
  for await (const row of asked.rows({ withoutFacts: true }))
    yield printedRow(row, { totalCostUsd: totals(row), opinion: asked.opinions.of(row) });
}

/** What a session cost with all below it; undefined where that is not known. */
export async function totalCosts(store: Store): Promise<(row: SessionSummary) => number | undefined> {
  const related = await store.listSessions({ related: true });
  const { families, uncertain } = familiesOf(
    related.map(({ sessionKey, sessionId, parentSessionId, source, path = '', q, costUsd }) => ({
      key: sessionKey,
      id: sessionId,
      parentId: parentSessionId,
      source,
      path,
      q,
      costUsd,
    })),
  );
  const totals = rollup(families);
  return ({ sessionKey, costUsd }) => {
    const total = totals.get(sessionKey);
    if (total === undefined) return costUsd;
    return uncertain.has(sessionKey) ? undefined : total.totalCostUsd;
  };
}
