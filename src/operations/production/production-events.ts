import { ALERT_RULES } from '../../decomposition/production/alert-rules.ts';
import { type ProductionCell, startOf } from '../../decomposition/production/cell.ts';
import type { ProductionEvent } from '../../decomposition/production/production.ts';
import type { Store, TrackedAlert } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { knownExperiments } from './experiments.ts';

export type ProductionEventsRequest = {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Where the prompts and experiments are; without it they are left out. */
  readonly cwd?: string | undefined;
};

const RULES: ReadonlySet<string> = new Set(ALERT_RULES.map(({ id }) => id));
const MOST_ALERTS = 200;

/** What may explain a change in the figures: alerts of production, new prompt versions, experiments. Oldest first. */
export async function productionEvents(
  { since = '', until, cwd }: ProductionEventsRequest,
  cells: readonly ProductionCell[],
  ports: Ports,
): Promise<readonly ProductionEvent[]> {
  const store = await ports.store('looking');
  const now = ports.now().toISOString();
  const alerts = await store.trackAlerts({ now, order: 'newest', limit: MOST_ALERTS });
  const events = [
    ...alerts.filter(({ rule }) => RULES.has(rule)).flatMap(ofAlert),
    ...(await promptEvents(cells, store)),
    ...(cwd === undefined ? [] : knownExperiments({ cwd }).flatMap(ofExperiment)),
  ];
  const end = until ?? now;
  return events
    .filter(({ at }) => at >= since && at <= end)
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function ofAlert({ rule, message, at, state, event }: TrackedAlert): ProductionEvent[] {
  return [
    { at, kind: 'alert', label: rule, text: message },
    ...(state === 'resolved' && event !== undefined
      ? [{ at: event.at, kind: 'alert', label: `${rule} over`, text: event.why ?? 'resolved' } as const]
      : []),
  ];
}

/** From when each version of the prompt served requests; one that was there at the beginning is no change. */
async function promptEvents(cells: readonly ProductionCell[], store: Store): Promise<ProductionEvent[]> {
  const days = firstByVersion(await store.productionCells({ by: 'day' }));
  const begin = cells[0]?.at;
  return [...firstByVersion(cells)]
    .filter(([version, at]) => at !== begin && days.get(version) === startOf('day', at))
    .map(([version, at]) => ({
      at,
      kind: 'prompt',
      label: version,
      text: `first requests with prompt ${version}`,
    }));
}

function firstByVersion(cells: readonly ProductionCell[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const { at, promptVersion } of cells)
    if (promptVersion !== undefined && at < (first.get(promptVersion) ?? '~')) first.set(promptVersion, at);
  return first;
}

function ofExperiment({
  plan,
  startedAt,
  stopped,
}: ReturnType<typeof knownExperiments>[number]): ProductionEvent[] {
  const { id, control, candidate } = plan;
  return [
    {
      at: startedAt,
      kind: 'experiment',
      label: id,
      text: `experiment ${id} starts: ${candidate} against ${control}`,
    },
    ...(stopped === undefined
      ? []
      : [
          {
            at: stopped.at,
            kind: 'experiment',
            label: `${id} ends`,
            text: `experiment ${id} ends: ${stopped.outcome.decision}`,
          } as const,
        ]),
  ];
}
