import { type ColumnSource, keptColumns } from '../../session/columns.ts';
import { concernsOf, WORTH_A_LOOK } from '../../session/concerns.ts';
import { whyLow } from '../../session/why-low.ts';
import { contentHash } from '../../store/canonical.ts';
import type { SessionRow } from '../../store/session-row.ts';
import type { Json, SessionRevision, Store } from '../../store/store.ts';

/** Rows of one transaction, and runs in them: enough to be fast, few enough for memory and for other processes. */
const ROWS_PER_BATCH = 500;
const RUNS_PER_BATCH = 2000;

/** What was kept of more than these is not told. */
const MOST_TOLD = 10_000;

/** Sessions have no truth to be judged against; they go from the scorer straight into the store. */
export class SessionKeeper {
  readonly #store: Store;
  readonly #scoredAt: string;
  #rows: SessionRow[] = [];
  #runs = 0;
  readonly #kept: SessionRevision[] = [];
  #count = 0;

  constructor(store: Store, scoredAt: string) {
    this.#store = store;
    this.#scoredAt = scoredAt;
  }

  async keep(kept: ColumnSource): Promise<void> {
    const row = sessionRow(kept, this.#scoredAt);
    this.#rows.push(row);
    this.#count += 1;
    if (this.#count <= MOST_TOLD) this.#kept.push([row.sessionKey, row.revision]);
    this.#runs += kept.facts.runs.length;
    if (this.#rows.length >= ROWS_PER_BATCH || this.#runs >= RUNS_PER_BATCH) await this.finish();
  }

  get kept(): readonly SessionRevision[] | undefined {
    return this.#count > MOST_TOLD ? undefined : this.#kept;
  }

  /** Until then the last ones are not in the store. */
  async finish(): Promise<void> {
    if (this.#rows.length > 0) await this.#store.appendSessions(this.#rows);
    this.#rows = [];
    this.#runs = 0;
  }
}

export function sessionRow(kept: ColumnSource, scoredAt: string, place?: number): SessionRow {
  const { session, facts, file } = kept;
  // Facts are plain data by contract, and hold no text of the transcript.
  const { sessionKey, ...columns } = keptColumns(kept);
  const costAtLeast = session.costIsLowerBound === true ? { costAtLeast: 1 } : {};
  const { weight, why } = concernsOf(session, facts);
  const low = session.q === undefined ? '' : whyLow(session);
  const row = {
    ...columns,
    ...costAtLeast,
    ...otherModelsOf(session),
    concern: weight < WORTH_A_LOOK ? 0 : weight,
    ...(why !== '' && { concernWhy: why }),
    ...(low !== '' && { lowWhy: low }),
    ...(session.instance !== undefined && { instance: session.instance }),
    ...(place !== undefined && { place }),
    facts: { facts, file } as unknown as Json,
  };
  return { ...row, sessionKey, revision: contentHash(row), scoredAt };
}

function otherModelsOf({ model, models }: ColumnSource['session']): Pick<SessionRow, 'otherModels'> {
  const others = models.filter((name) => name !== model);
  return others.length === 0 ? {} : { otherModels: [...new Set(others)].sort().join('\n') };
}
