/**
 * Policies by which tasks are given to models. Over many sessions one takes a second of the processor, so it is kept: a
 * minute changes nothing that was learnt from thousands of sessions.
 */
import type { Ports } from '../operations/ports.ts';
import type { RouteResult } from '../session/results.ts';

const FRESH_MS = 60_000;
/** Of fewer sessions each may count, and adding them up takes no time: these are added up whenever something was written. */
const MANY = 5000;
const MOST = 32;

type Kept = {
  readonly result: Promise<RouteResult>;
  readonly at: number;
  /** What had been written by then. */
  readonly stamp: string;
  /** The one that is to follow it. */
  next?: Kept;
};

/**
 * `soon`: whoever asks waits for a lookup only; what is older than a minute still answers while it is made anew.
 * `now`: what is told is at most a minute old.
 */
export type RouteHaste = 'soon' | 'now';

type Asked = {
  readonly ports: Ports;
  /** The same for all who ask the same. */
  readonly question: string;
  readonly haste: RouteHaste;
};

export class RoutePolicies {
  /** By store: what one may see, another may not. */
  readonly #kept = new WeakMap<object, Map<string, Kept>>();

  async get(
    { ports: asking, question, haste }: Asked,
    make: (ports: Ports) => Promise<RouteResult>,
  ): Promise<RouteResult> {
    // It is for whoever asks next, too.
    const ports = { ...asking, signal: new AbortController().signal };
    const store = await ports.store('looking');
    const kept = this.#kept.get(store) ?? new Map<string, Kept>();
    this.#kept.set(store, kept);
    const { own, others } = await store.changes();
    const now = { at: ports.now().getTime(), stamp: `${own} ${others}` };
    const begin = (): Kept => ({ result: make(ports), ...now });
    const known = kept.get(question);
    if (known === undefined) return keep(kept, question, begin()).result;
    const isOld = now.at - known.at > FRESH_MS;
    if (haste === 'soon' ? !isOld : known.stamp === now.stamp || (!isOld && (await isOfMany(known))))
      return known.result;
    const isUnderWay = known.next !== undefined && (haste === 'soon' || known.next.stamp === now.stamp);
    const next = isUnderWay && known.next !== undefined ? known.next : follow(kept, question, known, begin());
    return haste === 'soon' ? known.result : next.result;
  }
}

async function isOfMany({ result }: Kept): Promise<boolean> {
  const { types } = (await result).policy;
  return types.reduce((sum, { n }) => sum + n, 0) >= MANY;
}

function keep(kept: Map<string, Kept>, question: string, one: Kept): Kept {
  kept.delete(question);
  kept.set(question, one);
  one.result.catch(() => kept.get(question) === one && kept.delete(question));
  const [oldest] = kept.keys();
  if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
  return one;
}

/** Takes its place when it is there. */
function follow(kept: Map<string, Kept>, question: string, known: Kept, next: Kept): Kept {
  known.next = next;
  next.result.then(
    () => keep(kept, question, next),
    // The old one is better than none; the next one who asks tries again.
    () => {
      if (known.next === next) delete known.next;
    },
  );
  return next;
}
