/** Sums and rows of the selected sessions. */
import { type RollupQuery, rollupOf, type SessionRollup } from '../../store/rollup.ts';
import type { SessionRow } from '../../store/schema/session.ts';
import type { SessionNarrowing } from '../../store/session-narrowing.ts';
import type { Period, SessionQuery, SessionSummary, Store } from '../../store/store.ts';
import type { SessionFilter } from './session-request.ts';

/** Up to this many sessions are read one by one, which is exact; more are answered from sums. */
const FEW = 250;

type Narrowed = Period & SessionNarrowing & Pick<RollupQuery, 'coverageFrom'>;

export class SelectedSessions {
  readonly store: Store;
  readonly #narrowed: Narrowed;
  #total: Promise<SessionRollup> | undefined;
  #sessions: number | undefined;

  /** `narrowed`: the filter. */
  constructor(store: Store, narrowed: Narrowed) {
    this.store = store;
    this.#narrowed = narrowed;
  }

  /** All of them as one rollup, with the distributions. */
  total(): Promise<SessionRollup> {
    this.#total ??= this.store.sessionRollup({ ...this.#narrowed, histograms: true }).then(addRollups);
    return this.#total;
  }

  /** The selection limited to sessions that started at or after `since` and before `until`. */
  within({ since, until }: Required<Period>): SelectedSessions {
    const { since: from = since, until: to = until } = this.#narrowed;
    const both = { since: from > since ? from : since, until: to < until ? to : until };
    return new SelectedSessions(this.store, { ...this.#narrowed, ...both });
  }

  async isFew(): Promise<boolean> {
    this.#sessions ??= (await this.total()).sessions;
    return this.#sessions <= FEW;
  }

  /** Each session, if they are few. */
  async each(): Promise<readonly SessionSummary[] | undefined> {
    return (await this.isFew()) ? this.list({ order: 'file', limit: FEW }) : undefined;
  }

  /** With their facts. */
  async *newest(limit: number): AsyncGenerator<SessionRow> {
    for (const { sessionKey } of await this.list({ order: 'newest', limit })) {
      const row = await this.store.readSession(sessionKey);
      if (row !== undefined) yield row;
    }
  }

  list(query: SessionQuery): Promise<readonly SessionSummary[]> {
    return this.store.listSessions({ ...this.#narrowed, ...query });
  }

  count(query: SessionQuery): Promise<number> {
    return this.store.countSessions({ ...this.#narrowed, ...query });
  }

  /** The rollup also has the number of sessions. */
  async rollup(query: Pick<RollupQuery, 'by' | 'bucket'>): Promise<readonly SessionRollup[]> {
    const rollups = await this.store.sessionRollup({ ...this.#narrowed, ...query });
    this.#sessions ??= rollups.reduce((sum, { sessions }) => sum + sessions, 0);
    return rollups;
  }
}

/** The store query for a session filter. */
export function queryOf(
  filter: SessionFilter,
): SessionNarrowing & Period & Pick<SessionQuery, 'coverageFrom'> {
  const { since, until, taskType, agent, model, project, minCoverage } = filter;
  return {
    ...(since !== undefined && { since: new Date(since).toISOString() }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
    ...(taskType !== undefined && { taskType }),
    ...(agent !== undefined && { agentOrSource: agent }),
    ...(model !== undefined && { modelPart: model }),
    ...(project !== undefined && { projectNamed: project }),
    ...(minCoverage !== undefined && { coverageFrom: minCoverage }),
  };
}

/** Adds up rollups into one without bucket and group; of none, zero. */
export function addRollups(rollups: readonly SessionRollup[]): SessionRollup {
  const sum = rollupOf(undefined, {}, [], []);
  // A year of days by model has thousands of them: a new object per addition would take longer than reading them.
  for (const one of rollups) addTo(sum, one);
  return sum;
}

type Sums = { [name: string]: unknown };

/** Adds numbers, lists of numbers, and objects of these, all of the same shape. */
function addTo(sum: Sums, one: Readonly<Sums>): void {
  for (const name in sum) {
    const [own, other] = [sum[name], one[name]];
    if (typeof own === 'number') sum[name] = own + ((other as number | undefined) ?? 0);
    else if (Array.isArray(own)) addLists(own as number[], (other as number[] | undefined) ?? []);
    else if (name !== 'group' && typeof other === 'object') addTo(own as Sums, other as Sums);
  }
}

function addLists(sum: number[], one: readonly number[]): void {
  for (let i = 0; i < one.length; i += 1) sum[i] = (sum[i] ?? 0) + (one[i] as number);
}
