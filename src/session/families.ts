/** Which session started which. Sessions name their parent by its id, which is not unique. */
import { dirname } from 'node:path';
import type { AgentRunFacts, SessionFacts } from './evidence.ts';

/** A parent or a child session. */
export type Relative = {
  readonly key: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly source: string;
  readonly path: string;
  readonly costUsd: number | undefined;
};

type Families = {
  readonly families: readonly FamilyMember[];
  /** Keys of possible parents of a session with an ambiguous parent: their totals are unknown. */
  readonly uncertain: ReadonlySet<string>;
};

/** When several sessions have the parent's id, the nearest file of the same source is the parent. */
export function familiesOf(relatives: readonly Relative[]): Families {
  const parents = new Parents(relatives);
  const unclear = new Set<readonly string[]>();
  const families = relatives.map((one): FamilyMember => {
    const meant = parents.of(one);
    if (meant.length > 1) unclear.add(meant);
    return { key: one.key, parentKey: meant.length === 1 ? meant[0] : undefined, costUsd: one.costUsd };
  });
  return { families, uncertain: new Set([...unclear].flat()) };
}

/** Keys of sessions by location: under the file, its folder and all folders above. */
type Places = Map<string, string[]>;

class Parents {
  readonly #byId: ReadonlyMap<string, readonly Relative[]>;
  readonly #places = new Map<string, Places>();

  constructor(relatives: readonly Relative[]) {
    this.#byId = Map.groupBy(relatives, ({ id }) => id);
  }

  /** All equally near candidates; none when the parent was not read. */
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

/** The file, its folder, and so on; the last one contains everything. */
function* above(path: string): Generator<string> {
  for (let place = path; ; place = dirname(place)) {
    yield place;
    if (place === dirname(place)) break;
  }
  yield '';
}

/** A session with its parent. */
export type FamilyMember = {
  readonly key: string;
  readonly parentKey?: string | undefined;
  readonly costUsd?: number | undefined;
};

type Sum = { usd: number; unpriced: number };

/**
 * Key → the cost of the session and all its descendants; absent when one of them is unknown. In a cycle, each session
 * is a descendant of every other. Each cost is added to its parent once, from the leaves up, so that long chains cost
 * no more than wide families.
 */
export function totalCosts(members: readonly FamilyMember[]): ReadonlyMap<string, number> {
  const costs = new Map(members.map(({ key, costUsd }) => [key, costUsd]));
  const parents = new Map(
    members.flatMap(({ key, parentKey }) =>
      parentKey === undefined || parentKey === key || !costs.has(parentKey)
        ? []
        : [[key, parentKey] as const],
    ),
  );
  const sums = new Map<string, Sum>(
    [...costs].map(([key, costUsd]) => [key, { usd: costUsd ?? 0, unpriced: costUsd === undefined ? 1 : 0 }]),
  );
  const open = new Map([...costs.keys()].map((key) => [key, 0]));
  for (const parent of parents.values()) open.set(parent, (open.get(parent) ?? 0) + 1);
  const ready = [...open].flatMap(([key, children]) => (children === 0 ? [key] : []));
  for (let key = ready.pop(); key !== undefined; key = ready.pop()) {
    open.delete(key);
    const parent = parents.get(key);
    if (parent === undefined) continue;
    add(sums, parent, sums.get(key));
    const left = (open.get(parent) ?? 0) - 1;
    open.set(parent, left);
    if (left === 0) ready.push(parent);
  }
  // A session that still waits for a child is in a cycle, in which all have the same total.
  for (const start of open.keys()) {
    const whole: Sum = { usd: 0, unpriced: 0 };
    const circle = new Set<string>();
    for (let key: string | undefined = start; key !== undefined && !circle.has(key); key = parents.get(key)) {
      circle.add(key);
      open.delete(key);
      whole.usd += sums.get(key)?.usd ?? 0;
      whole.unpriced += sums.get(key)?.unpriced ?? 0;
    }
    for (const key of circle) sums.set(key, whole);
  }
  return new Map([...sums].flatMap(([key, { usd, unpriced }]) => (unpriced === 0 ? [[key, usd]] : [])));
}

function add(sums: Map<string, Sum>, key: string, more: Sum | undefined): void {
  const sum = sums.get(key);
  if (sum === undefined || more === undefined) return;
  sum.usd += more.usd;
  sum.unpriced += more.unpriced;
}

// The outcome of sub-agent sessions counts for their parent, whether its transcript mentions it or not.

/** The outcomes of the sessions that one session started. */
export type Delegated = { spawned: number; completed: number; failed: number };

/** By the source and id of the parent session. */
export type DelegatedBy = ReadonlyMap<string, Delegated>;

const COMPLETED: ReadonlySet<AgentRunFacts['end']> = new Set(['normal', 'handoff']);
/** A session that the user stopped, or that still runs, has not failed. */
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
  // A session that the user forked was not delegated.
  const isStarted = first?.trigger === 'subagent' || first?.trigger === 'unknown';
  if (parentSessionId === undefined || parentSessionId === sessionId || !isStarted) return;
  const key = nameOf(source, parentSessionId);
  const known = found.get(key) ?? { spawned: 0, completed: 0, failed: 0 };
  const last = runs.at(-1);
  const end = last?.end ?? 'unknown';
  // A session that says it did not succeed has completed, and failed.
  const gaveUp = last?.gaveUp === true && COMPLETED.has(end);
  known.spawned += 1;
  if (COMPLETED.has(end) && !gaveUp) known.completed += 1;
  if (FAILED.has(end) || gaveUp) known.failed += 1;
  found.set(key, known);
}

/** The outcomes for one session, as the scorer takes them. */
export function delegatedTo({ source, sessionId }: SessionFacts, found: Delegated): DelegatedBy {
  return new Map([[nameOf(source, sessionId), found]]);
}

export function nameOf(source: string, sessionId: string): string {
  return `${source}\n${sessionId}`;
}

/** Adds sub-agents that only their own sessions record. What the session itself records takes precedence. */
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
