/** A session with its sub-agents: what all of it cost. Each session's own cost and Q stay its own. */
export type RollupInput = {
  readonly sessionId: string;
  readonly parentSessionId?: string | undefined;
  readonly q?: number | undefined;
  readonly costUsd?: number | undefined;
};

export type Rollup = {
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
  const families = new Families(byId);
  const sums = families.sums();
  return new Map([...byId.keys()].map((id) => [id, rollupOf(sums.get(id) as Sum, families.childrenOf(id))]));
}

class Families {
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
