import { AssayError } from '../../errors.ts';
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import { type Delegated, noteDelegated } from '../../session/families.ts';
import type { Rescored } from '../../session/results.ts';
import { SCORER_VERSION } from '../../session/score.ts';
import { type SessionOptions, scoreSession } from '../../session/score-session.ts';
import { stopIfAborted, yieldToEventLoop } from '../../session/stop-if-aborted.ts';
import type { ScoredWith } from '../../store/rollup.ts';
import type { SessionRow } from '../../store/session-row.ts';
import type { Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { askRepositories } from './ask-repositories.ts';
import { SessionKeeper } from './keep-sessions.ts';
import { readScoringOptions } from './scoring-options.ts';
import type { SessionRequest } from './session-request.ts';
import { isScoredAsUsual, usualScoring } from './stored/stored-scores.ts';

export type RescoreRequest = Pick<SessionRequest, 'scoring' | 'repositories'>;

/** Sessions that are asked about, scored and stored together. */
const BATCH = 500;

/**
 * Scores again what the store remembers, where it was scored with something else than asked for now, and keeps the
 * result. What is done stays done: when it was interrupted, the next call goes on with the rest.
 */
export async function rescoreSessions(request: RescoreRequest, ports: Ports): Promise<Rescored> {
  const { outcomes, taskTypes } = request.scoring ?? {};
  if (outcomes !== undefined || taskTypes !== undefined)
    throw new AssayError('USAGE', 'what people say of sessions is attached where transcripts are scored');
  const [{ options, weightsDoubts }, store] = await Promise.all([
    readScoringOptions(request.scoring),
    ports.store('looking'),
  ]);
  const wanted = scoringOf(options);
  const scorings = await store.sessionScorings();
  const sessions = scorings.reduce((sum, one) => sum + one.sessions, 0);
  const total = scorings.reduce((sum, one) => sum + (isScoredAsUsual(one, wanted) ? 0 : one.sessions), 0);
  const result = { sessions, wanted, unreadable: [] as { path: string; why: string }[], weightsDoubts };
  if (total === 0) return { ...result, rescored: 0 };
  const known = { ...options, delegated: await delegatedIn(store, ports) };
  let rescored = 0;
  const onDamage = ({ message, remedy }: AssayError): void =>
    void result.unreadable.push({ path: store.address, why: `${message}. ${remedy}` });
  let batch: SessionRow[] = [];
  const flush = async (): Promise<void> => {
    await scoreBatch(batch, known, request, store, ports);
    rescored += batch.length;
    batch = [];
    ports.progress({ what: 'Scoring again', done: rescored, total, unit: 'sessions' });
    await yieldToEventLoop(ports.signal);
  };
  for await (const row of store.readSessions({ onDamage })) {
    stopIfAborted(ports.signal);
    if (isScoredAsUsual(row, wanted)) continue;
    batch.push(row);
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  return { ...result, rescored };
}

function scoringOf({ weights, baselines, prices }: SessionOptions): Required<ScoredWith> {
  const usual = usualScoring();
  return {
    scorerVersion: SCORER_VERSION,
    weights: weights?.name ?? usual.weights,
    baselineSet: baselines?.name ?? usual.baselineSet,
    prices: prices?.name ?? usual.prices,
  };
}

type Kept = { readonly facts: SessionFacts; readonly file: FileReading };

function keptOf({ facts }: SessionRow): Kept {
  return facts as unknown as Kept;
}

/** What became of the sessions that others started counts for those; only they are looked at. */
async function delegatedIn(store: Store, ports: Ports): Promise<ReadonlyMap<string, Delegated>> {
  const found = new Map<string, Delegated>();
  for await (const row of store.readSessions({ onDamage: () => {} })) {
    stopIfAborted(ports.signal);
    if (row.parentSessionId !== undefined) noteDelegated(found, keptOf(row).facts);
  }
  return found;
}

async function scoreBatch(
  batch: readonly SessionRow[],
  options: SessionOptions,
  request: RescoreRequest,
  store: Store,
  ports: Ports,
): Promise<void> {
  const sessions = batch.map(keptOf);
  const work = await askRepositories({ sessions }, request, ports);
  const keeper = new SessionKeeper(store, ports.now().toISOString());
  for (const row of batch) {
    const { facts, file } = keptOf(row);
    const session = scoreSession(facts, { ...options, ...(work && { work }) }, row.sessionKey);
    await keeper.keep({ session, facts, file });
  }
  await keeper.finish();
}
