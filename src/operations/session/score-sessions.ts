import { type PrintedRow, printedRow } from '../../session/columns.ts';
import { familiesOf, type Relative, totalCosts } from '../../session/families.ts';
import { seenIn } from '../../session/receipts.ts';
import type { ScoredSession } from '../../session/score-session.ts';
import { signalColumns } from '../../session/signal-columns.ts';
import { stopIfAborted, yieldToEventLoop } from '../../session/stop-if-aborted.ts';
import type { FullSession } from '../../session/stored-session.ts';
import type { SessionSummary, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import {
  type AskRequest,
  askSessions,
  chancesIn,
  type QueriedSessions,
  type ReadReport,
} from './ask-sessions.ts';
import { Opinions } from './model-opinions.ts';
import type { SessionRequest } from './session-request.ts';

export type { FullSession };

/** Known when all sessions are scored. */
export type Scoring = ReadReport & { readonly sessions: number; readonly filteredOut: number };

/** Yields after this many. */
const SCORED_TOGETHER = 250;

/** Each session with its facts and signals, file by file, in little memory however many there are. */
export async function scoreSessions(
  request: AskRequest,
  ports: Ports,
  take: (one: FullSession, key: string, asked: QueriedSessions) => void | Promise<void>,
): Promise<Scoring> {
  return askSessions(request, ports, async (asked) => {
    let sessions = 0;
    for await (const row of asked.rows()) {
      sessions += 1;
      if (sessions % SCORED_TOGETHER === 0) await yieldToEventLoop(ports.signal);
      else stopIfAborted(ports.signal);
      await take(asked.full(row), row.sessionKey, asked);
    }
    return { sessions, filteredOut: (await asked.store.countSessions()) - sessions };
  });
}

/** One printed row per session, file by file. */
export async function scoreRows(
  request: SessionRequest & { readonly signals?: boolean },
  ports: Ports,
  take: (row: PrintedRow) => void | Promise<void>,
): Promise<ReadReport & { readonly sessions: number }> {
  return askSessions(request, ports, async (asked) => {
    let sessions = 0;
    for await (const row of printedRows(asked, request.signals)) {
      sessions += 1;
      await take(row);
    }
    return { sessions };
  });
}

/** With `signals`, also the value of each signal: sessions are scored again from their facts. */
export async function* printedRows(asked: QueriedSessions, signals = false): AsyncGenerator<PrintedRow> {
  const totals = await totalCostsIn(asked.store);
  const chances = await asked.chances();
  for await (const row of asked.rows({ withoutFacts: !signals })) {
    const printed = printedRow(row, {
      totalCostUsd: totals(row),
      opinion: asked.opinions.of(row),
      chance: chances.of(row),
    });
    yield signals ? { ...printed, ...signalColumns(asked.full(row).session) } : printed;
  }
}

/** The cost of a session with its sub-agents; undefined where it is unknown. */
async function totalCostsIn(store: Store): Promise<(row: SessionSummary) => number | undefined> {
  const related = await store.listSessions({ related: true });
  const { families, uncertain } = familiesOf(related.map(relativeOf));
  const totals = totalCosts(families);
  const isRelated = new Set(families.map(({ key }) => key));
  return ({ sessionKey, costUsd }) => {
    if (!isRelated.has(sessionKey)) return costUsd;
    return uncertain.has(sessionKey) ? undefined : totals.get(sessionKey);
  };
}

export function relativeOf(row: SessionSummary): Relative {
  const { sessionKey: key, sessionId: id, parentSessionId: parentId, source, path = '', costUsd } = row;
  return { key, id, parentId, source, path, costUsd };
}

/** A stored session as `sessions score` prints it. */
export async function printSession({ id }: { readonly id: string }, ports: Ports): Promise<PrintedRow> {
  const store = await ports.store('looking');
  const { findNamed } = await import('./find-session.ts');
  const row = await findNamed(store, id);
  const opinion = (await Opinions.read(ports, store)).of(row);
  const chance = (await chancesIn(store, ports)).of(row);
  return printedRow(row, { totalCostUsd: (await totalCostsIn(store))(row), opinion, chance });
}

export type SessionSoFar = { readonly session: ScoredSession; readonly headline: string };

/** The session that began the transcript; those that it started come after it. Undefined: none yet. */
export async function sessionSoFar(
  request: SessionRequest,
  sessionId: string | undefined,
  ports: Ports,
): Promise<SessionSoFar | undefined> {
  const found: FullSession[] = [];
  await scoreSessions({ ...request, opinions: false }, ports, (one) => void found.push(one));
  const one = found.find(({ session }) => session.sessionId === sessionId) ?? found[0];
  return one && { session: one.session, headline: seenIn(one.session, one.facts).statements[0].text };
}
