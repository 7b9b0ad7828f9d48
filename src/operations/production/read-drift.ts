import { type Drift, driftOf } from '../../decomposition/production/drift.ts';
import type { Ports } from '../ports.ts';

export type ReadDriftRequest = {
  /** The start of the week that the last day is compared with. Default: the seven days before it. */
  readonly baselineSince?: string;
  readonly promptVersion?: string;
  readonly model?: string;
};

const DAY_MS = 86_400_000;

export async function readDrift(request: ReadDriftRequest, ports: Ports): Promise<Drift> {
  const { promptVersion, model } = request;
  const until = ports.now().getTime();
  const since = until - DAY_MS;
  const from = request.baselineSince === undefined ? since - 7 * DAY_MS : Date.parse(request.baselineSince);
  const before = periodOf(from, Math.min(since, from + 7 * DAY_MS));
  const after = periodOf(since, until);
  const store = await ports.store('looking');
  const cellsOf = (period: { readonly since: string; readonly until: string }) =>
    store.productionCells({ by: 'hour', ...period, promptVersion, model });
  return driftOf({ before, after }, { before: await cellsOf(before), after: await cellsOf(after) });
}

/** In whole hours, as the sums are. */
function periodOf(from: number, to: number): { readonly since: string; readonly until: string } {
  const hour = (ms: number) => new Date(Math.ceil(ms / HOUR_MS) * HOUR_MS).toISOString();
  return { since: hour(from), until: hour(to) };
}

const HOUR_MS = 3_600_000;
