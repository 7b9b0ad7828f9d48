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

/** Session id → its roll-up. A session given twice counts once; a circle of parents is walked once. */
export function rollup(sessions: readonly RollupInput[]): ReadonlyMap<string, Rollup> {
  const byId = new Map<string, RollupInput>();
  for (const session of sessions) if (!byId.has(session.sessionId)) byId.set(session.sessionId, session);
  const children = new Map<string, RollupInput[]>();
  for (const session of byId.values()) {
    const parent = session.parentSessionId;
    if (parent === undefined || parent === session.sessionId) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [session]);
    else siblings.push(session);
  }
  return new Map([...byId.values()].map((session) => [session.sessionId, rollupOf(session, children)]));
}

function rollupOf(session: RollupInput, children: ReadonlyMap<string, readonly RollupInput[]>): Rollup {
  const seen = new Set<string>();
  const waiting = [session];
  let knownCostUsd = 0;
  let unpriced = 0;
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (seen.has(one.sessionId)) continue;
    seen.add(one.sessionId);
    if (one.costUsd === undefined) unpriced++;
    else knownCostUsd += one.costUsd;
    for (const child of children.get(one.sessionId) ?? []) waiting.push(child);
  }
  const qs = (children.get(session.sessionId) ?? []).flatMap((child) => child.q ?? []);
  return {
    ...(unpriced === 0 && { totalCostUsd: knownCostUsd }),
    knownCostUsd,
    descendants: seen.size - 1,
    unpriced,
    ...(qs.length > 0 && { childrenQ: qs.reduce((sum, q) => sum + q, 0) / qs.length }),
  };
}
