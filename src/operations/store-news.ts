import type { RunSummary, Store, TrackedAlert } from '../store/store.ts';
import type { Ports } from './ports.ts';

/** What others wrote into the stores since the last look. */
export type StoreNews = {
  readonly runs: readonly Pick<RunSummary, 'runId' | 'instrument' | 'subject' | 'at' | 'project'>[];
  readonly alerts: readonly Pick<TrackedAlert, 'alertId' | 'state' | 'project'>[];
  /** Sessions, or what was said of them. */
  readonly isElsewhereToo: boolean;
};

const NOTHING: StoreNews = { runs: [], alerts: [], isElsewhereToo: false };

/** As many as come between two looks. */
const LOOKED_AT = 50;

/** Looks again and again, cheaply: the first look tells nothing. */
export class NewsReader {
  readonly #ports: { readonly sessions: Ports; readonly project: Ports };
  readonly #seen = new WeakMap<Store, number>();
  #runs: ReadonlySet<string> | undefined;
  #alerts: ReadonlySet<string> | undefined;

  constructor(ports: { readonly sessions: Ports; readonly project: Ports }) {
    this.#ports = ports;
  }

  async look(): Promise<StoreNews> {
    const sessions = await this.#ports.sessions.store('looking');
    const project = await this.#ports.project.store('looking');
    const isElsewhereToo = await this.#isChanged(sessions);
    if (project !== sessions && !(await this.#isChanged(project)) && this.#runs !== undefined)
      return { ...NOTHING, isElsewhereToo };
    if (project === sessions && !isElsewhereToo && this.#runs !== undefined) return NOTHING;
    return { ...(await this.#newsOf(project)), isElsewhereToo };
  }

  async #isChanged(store: Store): Promise<boolean> {
    const { others } = await store.changes();
    const before = this.#seen.get(store);
    this.#seen.set(store, others);
    return before !== undefined && before !== others;
  }

  async #newsOf(store: Store): Promise<Pick<StoreNews, 'runs' | 'alerts'>> {
    const now = this.#ports.project.now().toISOString();
    const runs = await store.listRuns({ limit: LOOKED_AT });
    const alerts = await store.trackAlerts({ now, order: 'newest', limit: LOOKED_AT });
    const nameOf = ({ alertId, state, event }: TrackedAlert) => `${alertId} ${state} ${event?.eventId}`;
    const [knownRuns, knownAlerts] = [this.#runs, this.#alerts];
    this.#runs = new Set(runs.map(({ runId }) => runId));
    this.#alerts = new Set(alerts.map(nameOf));
    return {
      runs: knownRuns === undefined ? [] : runs.filter(({ runId }) => !knownRuns.has(runId)),
      alerts: knownAlerts === undefined ? [] : alerts.filter((one) => !knownAlerts.has(nameOf(one))),
    };
  }
}
