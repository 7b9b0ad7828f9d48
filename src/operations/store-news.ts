import type { RunSummary, Store, TrackedAlert } from '../store/store.ts';
import type { Ports } from './ports.ts';

/** What others wrote into the stores since the last look. */
export type StoreNews = {
  readonly runs: readonly Pick<RunSummary, 'runId' | 'instrument' | 'subject' | 'at' | 'project'>[];
  readonly alerts: readonly Pick<TrackedAlert, 'alertId' | 'state' | 'project'>[];
  /** Sessions, or what was said of them. */
  readonly isElsewhereToo: boolean;
  /** Sessions only, written by this server or another: the store does not say which. */
  readonly hasSessions: boolean;
};

type Changed = { readonly any: boolean; readonly elsewhere: boolean; readonly sessions: boolean };

/** As many as come between two looks. */
const LOOKED_AT = 50;

/** Looks again and again, cheaply: the first look tells nothing. */
export class NewsReader {
  readonly #ports: { readonly sessions: Ports; readonly project: Ports };
  readonly #seen = new WeakMap<
    Store,
    { readonly others: number; readonly sessions?: number; readonly opinions?: number }
  >();
  #runs: ReadonlySet<string> | undefined;
  #alerts: ReadonlySet<string> | undefined;

  constructor(ports: { readonly sessions: Ports; readonly project: Ports }) {
    this.#ports = ports;
  }

  async look(): Promise<StoreNews> {
    const sessions = await this.#ports.sessions.store('looking');
    const project = await this.#ports.project.store('looking');
    const own = await this.#changed(sessions);
    const shown = project === sessions ? own : await this.#changed(project);
    const news = { isElsewhereToo: own.elsewhere, hasSessions: own.sessions };
    if (!shown.any && this.#runs !== undefined) return { runs: [], alerts: [], ...news };
    return { ...(await this.#newsOf(project)), ...news };
  }

  async #changed(store: Store): Promise<Changed> {
    const { others, apart } = await store.changes();
    const before = this.#seen.get(store);
    const now = { others, ...apart };
    this.#seen.set(store, now);
    const isOther = (name: keyof typeof now) => before !== undefined && before[name] !== now[name];
    const any = isOther('others');
    return apart === undefined
      ? { any, elsewhere: any, sessions: false }
      : { any, elsewhere: isOther('opinions'), sessions: isOther('sessions') };
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
