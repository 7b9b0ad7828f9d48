/**
 * A store as those see it who see only some projects: every question is narrowed to these, and every record that is
 * written must be of one of them. Whoever is given this store cannot ask for more, whatever they do with it
 * (docs/contributing/decisions/tenancy.md).
 */
import { AssayError } from '../errors.ts';
import { isIn } from '../named-project.ts';
import type { Intake } from './intake.ts';
import type { InProjects } from './session-narrowing.ts';
import type { Store } from './store.ts';

export type ProjectScope = {
  /** Names of projects (named-project.ts); absent: all that there is. */
  readonly sees?: readonly string[] | undefined;
  /** A project is named by its whole name, not by the end of it. */
  readonly isExact?: boolean;
  /** The project to write to, where a record names none. */
  readonly writes?: string | undefined;
};

/** The same scope gives the same store: what is cached for one is cached for all with that scope. */
export function scopedStore(store: Store, scope: ProjectScope): Store {
  if (scope.sees === undefined && scope.writes === undefined) return store;
  const stores = scoped.get(store) ?? new Map<string, Store>();
  const name = JSON.stringify([scope.sees, scope.writes, scope.isExact]);
  const narrowed = stores.get(name) ?? narrowedStore(store, new Scope(scope));
  if (stores.size >= MOST_SCOPES) stores.clear();
  scoped.set(store, stores.set(name, narrowed));
  return narrowed;
}

const MOST_SCOPES = 1000;
const scoped = new WeakMap<Store, Map<string, Store>>();

type OfProject = { readonly project?: string | undefined };

class Scope {
  readonly #sees: readonly string[] | undefined;
  readonly #writes: string | undefined;
  readonly #isExact: boolean;

  constructor({ sees, writes, isExact = false }: ProjectScope) {
    this.#sees = sees;
    this.#writes = writes;
    this.#isExact = isExact;
  }

  get seesAll(): boolean {
    return this.#sees === undefined;
  }

  /** What both the question and the scope allow. */
  narrowed(query: InProjects): InProjects {
    const sees = this.#sees;
    if (sees === undefined) return query;
    const isExact = this.#isExact;
    if (query.inProjects === undefined) return { ...query, inProjects: sees, isExact };
    const both = isExact
      ? sees.filter((one) => isIn(one, query.inProjects ?? []))
      : common(sees, query.inProjects);
    return { ...query, inProjects: both, isExact };
  }

  /** Looked at once more: a backend that forgets to narrow gives too little, and never too much. */
  seen<R extends OfProject>(record: R): boolean {
    if (this.#sees === undefined) return true;
    const { project } = record;
    return this.#isExact ? project !== undefined && this.#sees.includes(project) : isIn(project, this.#sees);
  }

  owned<R extends OfProject>(record: R): R {
    const project = record.project ?? this.#writes;
    this.assertSeen({ project });
    return project === undefined ? record : { ...record, project };
  }

  assertSeen({ project }: OfProject): void {
    if (this.seen({ project })) return;
    throw new AssayError(
      'REQUEST_REFUSED',
      project === undefined
        ? 'the record names no project, and the token is not for exactly one'
        : 'the token has no access to the project of this record',
    );
  }
}

type Records = readonly OfProject[];
type Call = (...args: readonly unknown[]) => unknown;
/** What a scope does with a call of the store. */
type Rule<Method extends keyof Store> = (
  scope: Scope,
  store: Store,
  call: Call,
  ...args: Parameters<Extract<Store[Method], (...args: never[]) => unknown>>
) => unknown;

/** Only what is of a project that is seen is written. */
async function write(scope: Scope, _: Store, call: Call, records: Records) {
  return call(records.map((record) => scope.owned(record)));
}

/** Gives records. */
async function list(scope: Scope, _: Store, call: Call, query: InProjects = {}) {
  const records = (await call(scope.narrowed(query))) as Records;
  return records.filter((record) => scope.seen(record));
}

/** Returns what has no project of its own, such as sums, or record by record. */
function ask(scope: Scope, _: Store, call: Call, query: InProjects = {}) {
  return call(scope.narrowed(query));
}

async function one(scope: Scope, _: Store, call: Call, key: string) {
  const record = (await call(key)) as OfProject | undefined;
  return record === undefined || !scope.seen(record) ? undefined : record;
}

function assertSeesAll(scope: Scope, why: string): void {
  if (!scope.seesAll) throw new AssayError('REQUEST_REFUSED', why);
}

/** Every method has a rule; what has none is not there. */
type Rules = {
  readonly [Method in Exclude<keyof Store, 'address' | 'intake' | 'transcripts'>]: Rule<Method>;
};

const RULES: Rules = {
  appendRuns: write,
  appendRatings: write,
  appendApprovals: write,
  appendAlerts: write,
  appendFeedback: write,
  appendDeliveries: write,
  appendAudit: write,
  /** A session says itself where it was at work: a revision is made of that, too, so nothing is filled in. */
  appendSessions: async (scope, _, call, rows, deliveries = []) => {
    for (const row of rows) scope.assertSeen(row);
    return call(
      rows,
      deliveries.map((delivery) => scope.owned(delivery)),
    );
  },
  /** What is said of an alert changes it for all who see it. */
  appendAlertEvents: async (scope, store, call, events) => {
    const owned = events.map((event) => scope.owned(event));
    for (const { alertId } of owned)
      for (const alert of await store.readAlerts({ alertId })) scope.assertSeen(alert);
    return call(owned);
  },
  appendDeliveryAttempts: async (scope, store, call, attempts) => {
    for (const { deliveryId } of attempts)
      for (const delivery of await store.readDeliveries({ deliveryId })) scope.assertSeen(delivery);
    return call(attempts);
  },
  appendDecompositions: async (scope, store, call, records, texts = []) => {
    const owned = records.map((record) => scope.owned(record));
    const sent = new Set(owned.map(({ id }) => id));
    const ids = texts.map(({ id }) => id).filter((id) => !sent.has(id));
    if (ids.length > 0)
      for (const record of await store.readDecompositions({ ids })) scope.assertSeen(record);
    return call(owned, texts);
  },
  listRuns: list,
  readRun: one,
  readSessions: ask,
  listSessions: list,
  readSession: one,
  sessionRollup: ask,
  sessionScorings: ask,
  countSessions: ask,
  readRatings: list,
  readApprovals: list,
  readAlerts: list,
  trackAlerts: list,
  readAlertEvents: list,
  readFeedback: list,
  readDeliveries: list,
  pendingDeliveries: list,
  readAudit: list,
  readDecompositions: list,
  /** A text belongs to the project of its record. */
  readDecompositionText: async (scope, store, call, id) => {
    const records = await store.readDecompositions(scope.narrowed({ ids: [id] } as InProjects));
    return scope.seesAll || records.some((record) => scope.seen(record)) ? call(id) : undefined;
  },
  productionCells: ask,
  prune: async (scope, _, call, ...args) => {
    assertSeesAll(scope, 'deleting requires access to all projects');
    return call(...args);
  },
  upkeep: (scope, _, call) => {
    assertSeesAll(scope, 'store maintenance requires access to all projects');
    return call();
  },
  changes: (_, __, call) => call(),
  /** The scope does not own the store. */
  close: async () => {},
};

function narrowedStore(store: Store, scope: Scope): Store {
  const methods = Object.entries(RULES).map(([name, rule]) => {
    const call: Call = (...args) => (store[name as keyof Store] as Call).apply(store, [...args]);
    const asked = rule as (scope: Scope, store: Store, call: Call, ...args: readonly unknown[]) => unknown;
    return [name, (...args: readonly unknown[]) => asked(scope, store, call, ...args)];
  });
  const intake = scope.seesAll ? store.intake : narrowedIntake(store.intake, scope);
  return { address: store.address, intake, ...Object.fromEntries(methods) } as Store;
}

/** Streams of these projects can be read, nothing else. */
function narrowedIntake(intake: Intake, scope: Scope): Intake {
  const refuse = async () => {
    throw new AssayError('REQUEST_REFUSED', 'the intake requires access to all projects');
  };
  return {
    isShared: intake.isShared,
    append: refuse,
    streams: refuse,
    reach: refuse,
    has: refuse,
    bytes: refuse,
    parts: async (name, after) => (scope.seen(name) ? intake.parts(name, after) : []),
    contents: async (name, keys) => (scope.seen(name) ? intake.contents(name, keys) : new Map()),
  };
}

/** A project of both is named by the longer of two names, where one is the end of the other. */
function common(some: readonly string[], others: readonly string[]): readonly string[] {
  return [
    ...new Set([...some.filter((one) => isIn(one, others)), ...others.filter((one) => isIn(one, some))]),
  ];
}
