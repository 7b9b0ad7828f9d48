/** Who started whom: sessions name the one that started them by its id, which others may have too. */
import { dirname } from 'node:path';
import type { AgentRunFacts, SessionFacts } from './evidence.ts';

/** A session that started others, or was started. */
export type Relative = {
  readonly key: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly source: string;
  readonly path: string;
  readonly q: number | undefined;
  readonly costUsd: number | undefined;
};

type Families = {
  /** By key. */
  readonly families: readonly RollupInput[];
  /** Keys of sessions that may have started one of which nobody can tell: what they come to is not known. */
  readonly uncertain: ReadonlySet<string>;
};

/** Of several sessions with the id of a parent, the one of the same source whose file is nearest is meant. */
export function familiesOf(relatives: readonly Relative[]): Families {
  const parents = new Parents(relatives);
  const unclear = new Set<readonly string[]>();
  const families = relatives.map((one): RollupInput => {
    const { key, q, costUsd } = one;
    const meant = parents.of(one);
    if (meant.length > 1) unclear.add(meant);
    return { sessionId: key, parentSessionId: meant.length === 1 ? meant[0] : undefined, q, costUsd };
  });
  return { families, uncertain: new Set([...unclear].flat()) };
}

/** Keys of sessions, by where their files are: under a file, its folder and all folders above. */
type Places = Map<string, string[]>;

class Parents {
  readonly #byId: ReadonlyMap<string, readonly Relative[]>;
  readonly #places = new Map<string, Places>();

  constructor(relatives: readonly Relative[]) {
    this.#byId = Map.groupBy(relatives, ({ id }) => id);
  }

  /** Those that are equally near; none when the parent was not read. */
  of({ parentId, source, path }: Relative): readonly string[] {
    const namesakes = parentId === undefined ? [] : (this.#byId.get(parentId) ?? []);
    if (parentId === undefined || namesakes.length < 2) return namesakes.map(({ key }) => key);
    const places = this.#placesOf(parentId, source, namesakes);
    for (const place of above(path)) {
      const found = places.get(place);
      if (found !== undefined) return found;
    }
    return [];
  }

  #placesOf(parentId: string, source: string, namesakes: readonly Relative[]): Places {
    const name = JSON.stringify([parentId, source]);
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const places: Places = new Map();
    const ofSource = namesakes.filter((one) => one.source === source);
    for (const { key, path } of ofSource.length === 0 ? namesakes : ofSource) {
      for (const place of above(path)) {
        const here = places.get(place);
        if (here === undefined) places.set(place, [key]);
        else if (here.at(-1) !== key) here.push(key);
      }
    }
    this.#places.set(name, places);
    return places;
  }
}

/** The file, its folder, and so on; the last is above everything. */
function* above(path: string): Generator<string> {
  for (let place = path; ; place = dirname(place)) {
    yield place;
    if (place === dirname(place)) break;
  }
  yield '';
}

/** A session with its sub-agents: what all of it cost. Each session's own cost and Q stay its own. */
type RollupInput = {
  readonly sessionId: string;
  readonly parentSessionId?: string | undefined;
  readonly q?: number | undefined;
  readonly costUsd?: number | undefined;
};

type Rollup = {
  /** Its own cost and that of every session under it; absent when one of them is unknown. */
  readonly totalCostUsd?: number;
  /** The sum of those that are known. */
  readonly knownCostUsd: number;
  readonly descendants: number;
  readonly unpriced: number;
  /** Mean Q of the sessions it started itself. */
  readonly childrenQ?: number;
};

/** What a session and all under it come to, while it is added up. */
type Sum = { known: number; unpriced: number; sessions: number };

/**
 * Session id → its roll-up. A session given twice counts once; in a circle of parents each is under every other. Every
 * session is added to its parent once, from the leaves up, so that long chains cost no more than wide families.
 */
export function rollup(sessions: readonly RollupInput[]): ReadonlyMap<string, Rollup> {
  const byId = new Map<string, RollupInput>();
  for (const session of sessions) if (!byId.has(session.sessionId)) byId.set(session.sessionId, session);
  const families = new FamilyTree(byId);
  const sums = families.sums();
  return new Map([...byId.keys()].map((id) => [id, rollupOf(sums.get(id) as Sum, families.childrenOf(id))]));
}

class FamilyTree {
  readonly #byId: ReadonlyMap<string, RollupInput>;
  readonly #children = new Map<string, RollupInput[]>();

  constructor(byId: ReadonlyMap<string, RollupInput>) {
    this.#byId = byId;
    for (const session of byId.values()) {
      const parent = this.#parentOf(session);
      if (parent === undefined) continue;
      const siblings = this.#children.get(parent);
      if (siblings === undefined) this.#children.set(parent, [session]);
      else siblings.push(session);
    }
  }

  childrenOf(id: string): readonly RollupInput[] {
    return this.#children.get(id) ?? [];
  }

  sums(): ReadonlyMap<string, Sum> {
    const sums = new Map([...this.#byId].map(([id, { costUsd }]) => [id, ownSum(costUsd)]));
    const open = new Map([...this.#byId.keys()].map((id) => [id, this.childrenOf(id).length]));
    const ready = [...open].flatMap(([id, children]) => (children === 0 ? [id] : []));
    for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
      open.delete(id);
      const parent = this.#parentOf(this.#byId.get(id));
      if (parent === undefined) continue;
      add(sums.get(parent) as Sum, sums.get(id) as Sum);
      const left = (open.get(parent) ?? 0) - 1;
      open.set(parent, left);
      if (left === 0) ready.push(parent);
    }
    this.#addCircles(open.keys(), sums);
    return sums;
  }

  /** Whoever still waits for a child is in a circle: all of one come to the same. */
  #addCircles(waiting: Iterable<string>, sums: Map<string, Sum>): void {
    const done = new Set<string>();
    for (const start of waiting) {
      const circle: string[] = [];
      for (let id: string | undefined = start; id !== undefined && !done.has(id); ) {
        done.add(id);
        circle.push(id);
        id = this.#parentOf(this.#byId.get(id));
      }
      const whole: Sum = { known: 0, unpriced: 0, sessions: 0 };
      for (const id of circle) add(whole, sums.get(id) as Sum);
      for (const id of circle) sums.set(id, whole);
    }
  }

  #parentOf(session: RollupInput | undefined): string | undefined {
    const parent = session?.parentSessionId;
    return parent === undefined || parent === session?.sessionId || !this.#byId.has(parent)
      ? undefined
      : parent;
  }
}

function ownSum(costUsd: number | undefined): Sum {
  return { known: costUsd ?? 0, unpriced: costUsd === undefined ? 1 : 0, sessions: 1 };
}

function add(sum: Sum, more: Sum): void {
  sum.known += more.known;
  sum.unpriced += more.unpriced;
  sum.sessions += more.sessions;
}

function rollupOf({ known, unpriced, sessions }: Sum, children: readonly RollupInput[]): Rollup {
  const qs = children.flatMap((child) => child.q ?? []);
  return {
    ...(unpriced === 0 && { totalCostUsd: known }),
    knownCostUsd: known,
    descendants: sessions - 1,
    unpriced,
    ...(qs.length > 0 && { childrenQ: qs.reduce((sum, q) => sum + q, 0) / qs.length }),
  };
}

// Sessions that another one started: what became of them counts for the one that did, whether it tells of them or not.

/** What became of the sessions that one started. */
export type Delegated = { spawned: number; completed: number; failed: number };

/** By the source and id of the session that started them. */
export type DelegatedBy = ReadonlyMap<string, Delegated>;

const COMPLETED: ReadonlySet<AgentRunFacts['end']> = new Set(['normal', 'handoff']);
/** Who was stopped by a person, or is still at work, has not failed. */
const FAILED: ReadonlySet<AgentRunFacts['end']> = new Set(['error', 'timeout', 'limit']);

export function delegatedBy(sessions: Iterable<SessionFacts>): DelegatedBy {
  const found = new Map<string, Delegated>();
  for (const facts of sessions) noteDelegated(found, facts);
  return found;
}

export function noteDelegated(
  found: Map<string, Delegated>,
  { source, sessionId, parentSessionId, runs }: SessionFacts,
): void {
  const [first] = runs;
  // A session that a person branched off another one was not given a task by it.
  const isStarted = first?.trigger === 'subagent' || first?.trigger === 'unknown';
  if (parentSessionId === undefined || parentSessionId === sessionId || !isStarted) return;
  const key = nameOf(source, parentSessionId);
  const known = found.get(key) ?? { spawned: 0, completed: 0, failed: 0 };
  const last = runs.at(-1);
  const end = last?.end ?? 'unknown';
  // Who says that it did not succeed has come back, and failed.
  const gaveUp = last?.gaveUp === true && COMPLETED.has(end);
  known.spawned += 1;
  if (COMPLETED.has(end) && !gaveUp) known.completed += 1;
  if (FAILED.has(end) || gaveUp) known.failed += 1;
  found.set(key, known);
}

/** As the scorer takes them, for one session. */
export function delegatedTo({ source, sessionId }: SessionFacts, found: Delegated): DelegatedBy {
  return new Map([[nameOf(source, sessionId), found]]);
}

export function nameOf(source: string, sessionId: string): string {
  return `${source}\n${sessionId}`;
}

/** With the sub-agents that only their own sessions tell of. What the session itself says of them goes before. */
export function withDelegated(facts: SessionFacts, delegated: DelegatedBy | undefined): SessionFacts {
  const found = delegated?.get(nameOf(facts.source, facts.sessionId));
  const last = facts.runs.at(-1);
  if (found === undefined || last === undefined) return facts;
  const own = { spawned: 0, completed: 0, failed: 0 };
  for (const run of facts.runs) {
    own.spawned += run.spawned;
    own.completed += run.spawnsCompleted;
    own.failed += run.spawnsFailed;
  }
  const spawned = Math.max(own.spawned, found.spawned);
  const completed = Math.max(own.completed, Math.min(found.completed, spawned - own.failed));
  const failed = Math.max(own.failed, Math.min(found.failed, spawned - completed));
  const run = {
    ...last,
    spawned: last.spawned + spawned - own.spawned,
    spawnsCompleted: last.spawnsCompleted + completed - own.completed,
    spawnsFailed: last.spawnsFailed + failed - own.failed,
  };
  return { ...facts, runs: [...facts.runs.slice(0, -1), run] };
}
