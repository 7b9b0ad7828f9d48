import { type PrintedRow, printedRow } from '../../../session/columns.ts';
import type { SessionFacts } from '../../../session/evidence.ts';
import { type DelegatedBy, noteDelegated } from '../../../session/families.ts';
import type { Explanation } from '../../../session/results.ts';
import { type ScoredSession, type SessionOptions, scoreSession } from '../../../session/score-session.ts';
import type { Store } from '../../../store/store.ts';
import type { Ports } from '../../ports.ts';
import type { ExplainRequest } from '../explain-session.ts';
import { readScoringOptions } from '../scoring-options.ts';
import { findKept, type KeptSession } from './kept-session.ts';

export type ExplainKeptRequest = Omit<ExplainRequest, 'from' | 'filter'>;

/** More sub-agents than one session starts. */
const MAX_STARTED = 1_000;

/** One kept session, scored again from its facts; no other is read but those it started. */
export async function explainKept(request: ExplainKeptRequest, ports: Ports): Promise<Explanation> {
  const store = await ports.store('looking');
  const kept = await findKept(store, request.id);
  const options = await optionsFor(kept, store, request, ports);
  const { file, row } = kept;
  const session = scoreSession(kept.facts, options, row.sessionKey);
  return { session, file, unreadable: [], ...(await toldAgain(request, kept, session, options)) };
}

/** A session as `sessions score` prints it. */
export async function printKept(request: ExplainKeptRequest, ports: Ports): Promise<PrintedRow> {
  const store = await ports.store('looking');
  const kept = await findKept(store, request.id);
  const { facts, file } = kept;
  const options = await optionsFor(kept, store, request, ports);
  return printedRow({ session: scoreSession(facts, options, kept.row.sessionKey), facts, file });
}

async function optionsFor(
  kept: KeptSession,
  store: Store,
  { scoring, repositories }: ExplainKeptRequest,
  ports: Ports,
): Promise<SessionOptions> {
  const { options } = await readScoringOptions(scoring);
  const delegated = await startedBy(kept.facts, store);
  if (repositories === undefined) return { ...options, delegated };
  const { askAbout } = await import('../ask-repositories.ts');
  const work = await askAbout([{ key: kept.row.sessionKey, facts: kept.facts }], repositories, ports);
  return { ...options, delegated, work };
}

async function startedBy({ sessionId }: SessionFacts, store: Store): Promise<DelegatedBy> {
  const found = new Map();
  for await (const row of store.readSessions({ parentSessionId: sessionId, limit: MAX_STARTED }))
    noteDelegated(found, (row.facts as unknown as { readonly facts: SessionFacts }).facts);
  return found;
}

async function toldAgain(
  { perMessage, quotes }: ExplainKeptRequest,
  { row, file }: KeptSession,
  session: ScoredSession,
  options: SessionOptions,
): Promise<Pick<Explanation, 'moments' | 'quotes'>> {
  if (perMessage !== true && quotes === undefined) return {};
  const { linesOf, momentsOf } = await import('../explain-session.ts');
  const { readQuotes } = await import('../../../session/ingest/replay/read-quotes.ts');
  return {
    ...(perMessage === true && {
      moments: await momentsOf(session.sessionId, file, options, row.sessionKey),
    }),
    ...(quotes !== undefined && {
      quotes: await readQuotes(file.path, session.sessionId, linesOf(session), quotes.environment),
    }),
  };
}
