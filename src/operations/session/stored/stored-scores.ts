/**
 * The scores of sessions as the store has them, for questions about many of them. They are answered from here only where
 * every stored session was scored with what would be used now, so that scores of different kinds are never mixed.
 */
import { AssayError } from '../../../errors.ts';
import { isDoubtful, LOW_COVERAGE } from '../../../measure/confidence.ts';
import { shippedPricesName } from '../../../session/pricing/shipped-prices.ts';
import { SHIPPED_BASELINES } from '../../../session/profiles/baselines.ts';
import type { TaskType } from '../../../session/profiles/task-type.ts';
import { SCORER_VERSION } from '../../../session/score.ts';
import type { SessionScore } from '../../../session/session-score.ts';
import { DOCUMENTED_WEIGHTS } from '../../../session/weights.ts';
import type { RollupQuery, ScoredWith, SessionRollup } from '../../../store/rollup.ts';
import type { SessionNarrowing } from '../../../store/session-narrowing.ts';
import type { Period, SessionQuery, SessionSummary, Store } from '../../../store/store.ts';
import type { Ports } from '../../ports.ts';
import type { ScoringChoices, SessionRequest } from '../session-request.ts';
import { addRollups } from './add-rollups.ts';
import { queryOf } from './filter-query.ts';

/**
 * Up to so many sessions are read one by one, which is exact; more are answered from kept sums. Of these few, resampling
 * for intervals takes most of the time; of more, Student's intervals say the same.
 */
export const FEW = 250;

/** What every session is scored with where nobody asks for anything else. */
export function usualScoring(): Required<ScoredWith> {
  return {
    scorerVersion: SCORER_VERSION,
    weights: DOCUMENTED_WEIGHTS.name,
    baselineSet: SHIPPED_BASELINES.name,
    prices: shippedPricesName(),
  };
}

export function isScoredAsUsual(one: ScoredWith, usual = usualScoring()): boolean {
  return (Object.keys(usual) as (keyof ScoredWith)[]).every((name) => one[name] === usual[name]);
}

/** The answer from stored scores; undefined where sessions have to be scored for this request. */
export async function answerStored<T>(
  request: SessionRequest,
  ports: Ports,
  answer: (stored: StoredScores) => Promise<T>,
): Promise<T | undefined> {
  try {
    const stored = await openStoredScores(request, ports);
    return stored && (await answer(stored));
  } catch (error) {
    // Reading every row names what is damaged and gives the others.
    if (error instanceof AssayError && error.code === 'STORE_CORRUPT') return undefined;
    throw error;
  }
}

/** Undefined: sessions have to be scored for this request. */
export async function openStoredScores(
  request: SessionRequest,
  ports: Ports,
): Promise<StoredScores | undefined> {
  if (request.from !== 'store' || !asksForUsual(request)) return undefined;
  const store = await ports.store('looking');
  const usual = usualScoring();
  if (!(await store.sessionScorings()).every((one) => isScoredAsUsual(one, usual))) return undefined;
  const { filter = {} } = request;
  // Rows from before all of its models were kept with a session know one.
  if (filter.model !== undefined && !knowsConcerns(addRollups(await store.sessionRollup()))) return undefined;
  return new StoredScores(store, queryOf(filter));
}

/** All of them were kept with what a person would want to look at, and with all their models. */
export function knowsConcerns({ sessions, concerns }: SessionRollup): boolean {
  return concerns.n === sessions;
}

function asksForUsual({ scoring = {}, repositories }: SessionRequest): boolean {
  const { taskTypeOf = {}, ...files }: ScoringChoices = scoring;
  const hasFiles = Object.values(files).some((file) => file !== undefined);
  const asksElsewhere = (repositories?.places.length ?? 0) > 0;
  return !hasFiles && Object.keys(taskTypeOf).length === 0 && !asksElsewhere;
}

type Narrowed = Period & SessionNarrowing & Pick<RollupQuery, 'coverageFrom'>;

export class StoredScores {
  readonly store: Store;
  readonly #narrowed: Narrowed;
  #total: Promise<SessionRollup> | undefined;
  #sessions: number | undefined;

  constructor(store: Store, narrowed: Narrowed) {
    this.store = store;
    this.#narrowed = narrowed;
  }

  /** All of them as one, with the distributions. */
  total(): Promise<SessionRollup> {
    this.#total ??= this.store.sessionRollup({ ...this.#narrowed, histograms: true }).then(addRollups);
    return this.#total;
  }

  /** Those of them that started at or after `since` and before `until`. */
  within({ since, until }: Required<Period>): StoredScores {
    const { since: from = since, until: to = until } = this.#narrowed;
    const both = { since: from > since ? from : since, until: to < until ? to : until };
    return new StoredScores(this.store, { ...this.#narrowed, ...both });
  }

  async isFew(): Promise<boolean> {
    this.#sessions ??= (await this.total()).sessions;
    return this.#sessions <= FEW;
  }

  /** Each of them, where they are few. */
  async each(): Promise<readonly SessionScore[] | undefined> {
    return (await this.isFew()) ? (await this.list({ limit: FEW })).map(scoreOf) : undefined;
  }

  list(query: SessionQuery): Promise<readonly SessionSummary[]> {
    return this.store.listSessions({ ...this.#narrowed, ...query });
  }

  count(query: SessionQuery): Promise<number> {
    return this.store.countSessions({ ...this.#narrowed, ...query });
  }

  /** How many they are is known from then on. */
  async rollup(query: Pick<RollupQuery, 'by' | 'bucket'>): Promise<readonly SessionRollup[]> {
    const rollups = await this.store.sessionRollup({ ...this.#narrowed, ...query });
    this.#sessions ??= rollups.reduce((sum, { sessions }) => sum + sessions, 0);
    return rollups;
  }
}

export function scoreOf(row: SessionSummary): SessionScore {
  const { completion, execution, efficiency, outcome, startedAt } = row;
  return {
    sessionId: row.sessionId,
    source: row.source,
    agent: row.agent,
    project: row.project,
    // The scorer wrote it.
    taskType: row.taskType as TaskType,
    model: row.model,
    startedAt: startedAt === undefined ? undefined : Date.parse(startedAt),
    q: row.q,
    tier: row.tier,
    coverage: row.coverage,
    lowConfidence: row.coverage < LOW_COVERAGE || isDoubtful(row.tier),
    categories: { completion, execution, efficiency, outcome },
    costUsd: row.costUsd,
    costIsLowerBound: row.costAtLeast === 1,
    weights: row.weights ?? '',
    baselineSet: row.baselineSet ?? '',
  };
}
