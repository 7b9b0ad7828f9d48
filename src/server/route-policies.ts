/**
 * Policies by which tasks are given to models. Whoever asks waits for a lookup only: a policy that is a minute old is made
 * anew while the old one still answers.
 */
import type { Ports } from '../operations/ports.ts';
import type { RoutePolicy } from '../session/routing/policy.ts';

const FRESH_MS = 60_000;
const MOST = 32;

type Kept = { readonly policy: Promise<RoutePolicy>; readonly at: number; next?: Promise<unknown> };

export class RoutePolicies {
  /** By store: what one may see, another may not. */
  readonly #kept = new WeakMap<object, Map<string, Kept>>();

  async get(
    asking: Ports,
    wishes: string,
    make: (ports: Ports) => Promise<RoutePolicy>,
  ): Promise<RoutePolicy> {
    // It is for whoever asks next, too.
    const ports = { ...asking, signal: new AbortController().signal };
    const store = await ports.store('looking');
    const kept = this.#kept.get(store) ?? new Map<string, Kept>();
    this.#kept.set(store, kept);
    const now = ports.now().getTime();
    const known = kept.get(wishes);
    if (known === undefined) return this.#keep(kept, wishes, make(ports), now);
    if (now - known.at > FRESH_MS)
      known.next ??= make(ports).then(
        (policy) => this.#keep(kept, wishes, Promise.resolve(policy), now),
        // The old one is better than none; the next one who asks tries again.
        () => {
          delete known.next;
        },
      );
    return known.policy;
  }

  #keep(
    kept: Map<string, Kept>,
    wishes: string,
    policy: Promise<RoutePolicy>,
    at: number,
  ): Promise<RoutePolicy> {
    kept.delete(wishes);
    kept.set(wishes, { policy, at });
    policy.catch(() => kept.delete(wishes));
    const [oldest] = kept.keys();
    if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    return policy;
  }
}
