import type { LabelNames } from '../../session/calibration/labels.ts';
import type { ColumnSource } from '../../session/columns.ts';
import type { FileReading } from '../../session/evidence.ts';
import { delegatedBy } from '../../session/families.ts';
import type { LeftOut, Looked } from '../../session/results.ts';
import { type SessionOptions, scoreSession } from '../../session/score-session.ts';
import { keyOfSession } from '../../session/session-key.ts';
import { stopIfAborted, yieldToEventLoop } from '../../session/stop-if-aborted.ts';
import { notKept } from '../not-kept.ts';
import type { Ports } from '../ports.ts';
import { askRepositories } from './ask-repositories.ts';
import { type Joined, joinable } from './joinable.ts';
import type { SessionKeeper } from './keep-sessions.ts';
import { type ModelOpinions, modelOpinions, NO_OPINIONS, opinionsOf, withOpinion } from './model-opinions.ts';
import { type ReadSession, type ReadSessions, readSessions } from './read-sessions.ts';
import { readScoringOptions } from './scoring-options.ts';
import { filterOf } from './session-filter.ts';
import type { SessionRequest } from './session-request.ts';
import { FEW, isScoredAsUsual, usualScoring } from './stored/stored-scores.ts';

/** A session with all that it rests on, while it is at hand: with many of them there is no room to keep it. */
export type FullSession = ColumnSource;

export type ScoreSessionsRequest = SessionRequest & {
  /** Put scores and facts into the store; what comes from the store is there already. */
  readonly keep?: boolean;
  /** What models said of them, where that is known already; `false`: the store is not asked. */
  readonly opinions?: ModelOpinions | false;
  /** What a file of people calls sessions, beside those of outcomes and task types. */
  readonly labelled?: LabelNames;
};

/** What is known when all are scored. */
export type Scoring = Required<LeftOut> & {
  readonly files: readonly FileReading[];
  readonly looked: Looked;
  readonly options: SessionOptions;
  readonly joined: Joined;
  readonly elapsedMs: number;
  /** Sessions that were scored and then left out by the filter. */
  readonly filteredOut: number;
  readonly opinions: ModelOpinions;
};

/**
 * Finds, scores, filters and keeps sessions. Each is handed out when it is scored, in the order of files and of their
 * places in them, so that any number of them takes little memory.
 */
export async function scoreSessions(
  request: ScoreSessionsRequest,
  ports: Ports,
  take: (one: FullSession, where: ReadSession, joined: Joined) => void | Promise<void>,
): Promise<Scoring> {
  const start = ports.now().getTime();
  const [scoring, read] = await Promise.all([
    readScoringOptions(request.scoring),
    readSessions(request.from, ports),
  ]);
  return scoreRead(read, scoring, request, ports, take, start);
}

/** What was read, by whomever. */
export async function scoreRead(
  read: ReadSessions,
  { options: given, weightsDoubts, names }: Awaited<ReturnType<typeof readScoringOptions>>,
  request: ScoreSessionsRequest,
  ports: Ports,
  take: (one: FullSession, where: ReadSession, joined: Joined) => void | Promise<void>,
  start = ports.now().getTime(),
): Promise<Scoring> {
  const work = await askRepositories(read, request, ports);
  const said = request.opinions ?? (await modelOpinions(ports));
  const opinions = said === false ? NO_OPINIONS : opinionsOf(read.sessions, said);
  const known = {
    ...given,
    ...(work === undefined ? {} : { work }),
    delegated: delegatedBy(read.sessions.map(({ facts }) => facts)),
  };
  const labelled = new Map([...names, ...(request.labelled ?? [])]);
  const { unjoined, joined, options } = joinable(known, read.sessions, labelled);
  const isAskedFor = filterOf(request.filter);
  const keeping = new Keeping(request, ports);
  let [scored, filteredOut] = [0, 0];
  const { signal } = ports;
  await yieldToEventLoop(signal);
  for (const one of read.sessions) {
    const { facts, file } = one;
    const key = keyOfSession(facts, file);
    const session = withOpinion(scoreSession(facts, options, key), key, opinions);
    scored += 1;
    if (scored % SCORED_TOGETHER === 0) await yieldToEventLoop(signal);
    else stopIfAborted(signal);
    if (isAskedFor(session, facts)) {
      await keeping.keep({ session, facts, file });
      await take({ session, facts, file }, one, joined);
    } else filteredOut += 1;
  }
  stopIfAborted(signal);
  await keeping.finish();
  const { files, unreadable, looked } = read;
  const elapsedMs = ports.now().getTime() - start;
  const scoredOtherwise = await countScoredOtherwise(request, options, ports);
  const left = { unreadable, unjoined, weightsDoubts, scoredOtherwise };
  return { ...left, files, looked, options, joined, opinions, elapsedMs, filteredOut };
}

/** Of many, where that takes time. A choice of this once is no reason to score them for good. */
async function countScoredOtherwise(
  { from, scoring = {} }: ScoreSessionsRequest,
  { weights, baselines }: SessionOptions,
  ports: Ports,
): Promise<number> {
  const isChoice = weights !== undefined || baselines !== undefined || scoring.prices !== undefined;
  if (from !== 'store' || isChoice) return 0;
  const store = await ports.store('looking');
  const usual = usualScoring();
  const scorings = await store.sessionScorings();
  if (scorings.reduce((sum, one) => sum + one.sessions, 0) <= FEW) return 0;
  return scorings.reduce((sum, one) => sum + (isScoredAsUsual(one, usual) ? 0 : one.sessions), 0);
}

/** Each session is stored once, however often it is sent. */
const ADDED_LATER = 'Then run the same command again: what is missing is added.';

/** Scoring many sessions takes seconds: others get their turn after so many. */
const SCORED_TOGETHER = 250;

/** Puts scores and facts into the store, which is opened with the first of them. */
class Keeping {
  readonly #request: ScoreSessionsRequest;
  readonly #ports: Ports;
  #keeper: SessionKeeper | undefined;
  #hasFailed = false;

  constructor(request: ScoreSessionsRequest, ports: Ports) {
    this.#request = request;
    this.#ports = ports;
  }

  async keep(one: FullSession): Promise<void> {
    if (this.#request.keep !== true || this.#request.from === 'store') return;
    await this.#try(async () => {
      this.#keeper ??= await this.#open();
      await this.#keeper.keep(one);
    });
  }

  async finish(): Promise<void> {
    await this.#try(async () => this.#keeper?.finish());
  }

  /** Once is enough: a store that is locked or full stays so for a while, and every try waits for it. */
  async #try(work: () => Promise<void>): Promise<void> {
    if (this.#hasFailed) return;
    try {
      await work();
    } catch (error) {
      this.#ports.notKept(
        notKept(error, 'The scores are given, but not all of them are in the store', ADDED_LATER),
      );
      this.#hasFailed = true;
    }
  }

  async #open(): Promise<SessionKeeper> {
    const { SessionKeeper } = await import('./keep-sessions.ts');
    return new SessionKeeper(await this.#ports.store(), this.#ports.now().toISOString());
  }
}
