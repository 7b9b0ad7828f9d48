import { AssayError } from '../../errors.ts';
import type { ServerLimits } from './limits.ts';

/** Counts a request of a client; throws where there have been too many. */
export type TakeRequest = (client: string) => void;

/** More clients than this are not told apart for long: whoever was idle is forgotten first. */
const MAX_CLIENTS = 10_000;

/** A bucket for each client, filled at a steady rate. `now`: milliseconds of a clock that is never set back. */
export function limitRate({ perSecond, burst }: ServerLimits['rate'], now: () => number): TakeRequest {
  const buckets = new Map<string, { left: number; at: number }>();
  return (client) => {
    const at = now();
    const known = buckets.get(client);
    const left =
      known === undefined ? burst : Math.min(burst, known.left + ((at - known.at) / 1000) * perSecond);
    if (left < 1)
      throw new AssayError('TOO_MANY_REQUESTS', `a client may send ${perSecond} requests a second`);
    // Taken out and put back: the first of the map is the one that was idle longest.
    buckets.delete(client);
    buckets.set(client, { left: left - 1, at });
    if (buckets.size > MAX_CLIENTS) for (const first of buckets.keys()) return void buckets.delete(first);
  };
}
