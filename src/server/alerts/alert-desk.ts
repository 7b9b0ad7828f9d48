/** Alerts in the server: evaluates the production rules and sends deliveries until they succeed. */
import { alertTargets } from '../../operations/alerts/alert-targets.ts';
import { announceAlerts } from '../../operations/alerts/announce-alerts.ts';
import { checkAlerts } from '../../operations/alerts/check-alerts.ts';
import { Outbox, type Targets } from '../../operations/deliveries/outbox.ts';
import type { ServerEvent } from '../events/hub.ts';
import type { BackgroundTask, Services } from '../services.ts';

const EVERY_MS = 60_000;
/** The sample of a day may be long: it is read at every so many looks. */
const SAMPLE_EVERY = 5;

export const ALERT_TASK: BackgroundTask = {
  name: 'alerts',
  check: (services) => void targetsOf(services),
  start: async (services) => {
    const desk = new AlertDesk(services);
    desk.start();
    return desk;
  },
};

function targetsOf({ project, config, machine, log }: Services): Targets {
  return alertTargets({
    settings: config.alerts,
    environment: machine.environment,
    now: project.now,
    log: ({ type, alert: { id, severity, rule, subject, message } }) =>
      log(type === 'alert.fired' ? 'warn' : 'info', type, { id, severity, rule, subject, message }),
  });
}

class AlertDesk {
  readonly #services: Services;
  readonly #outbox: Outbox;
  #rounds: Promise<void> = Promise.resolve();
  #looks = 0;
  #wakes: NodeJS.Timeout | undefined;
  #listening: { readonly stop: () => void } | undefined;

  constructor(services: Services) {
    const { project, log } = services;
    this.#services = services;
    this.#outbox = new Outbox(targetsOf(services), project, {
      onFailure: (failure) => log('warn', 'not delivered', failure),
    });
  }

  /**
   * Sends changes at once; every minute it evaluates the rules and checks whether a quiet period or a silence is over.
   */
  start(): void {
    const then = (work: () => Promise<void>) => {
      this.#rounds = this.#rounds.then(() => this.#guarded(work));
    };
    const look = () => {
      then(() => this.#look());
      then(() => this.#announce());
      // Deliveries that another server had claimed when it ended are sent after a while.
      this.#outbox.wake();
    };
    this.#wakes = setInterval(look, EVERY_MS);
    this.#wakes.unref();
    const send = ({ type }: ServerEvent) => void (type === 'alert.changed' && then(() => this.#announce()));
    this.#listening = this.#services.events.listen({ send, end: () => {}, isOwn: true });
    look();
  }

  async stop(): Promise<void> {
    this.#listening?.stop();
    clearInterval(this.#wakes);
    await this.#rounds;
    await this.#outbox.stop();
  }

  /** A locked store must not stop the checks. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#services.log('error', 'alerts', { why: String(error) });
    }
  }

  async #look(): Promise<void> {
    const { project, config, events } = this.#services;
    const isQuick = this.#looks % SAMPLE_EVERY !== 0;
    this.#looks += 1;
    const { fired, resolved } = await checkAlerts({ ...config.alerts, isQuick }, project);
    for (const { alertId: id, project: whose } of fired)
      events.publish('alert.changed', { id, state: 'open' }, whose);
    for (const { alertId: id, project: whose } of resolved)
      events.publish('alert.changed', { id, state: 'resolved' }, whose);
  }

  async #announce(): Promise<void> {
    const { project, config } = this.#services;
    const request = { targets: this.#outbox.names, quiet: config.alerts.quiet };
    if ((await announceAlerts(request, project)) > 0) this.#outbox.wake();
  }
}
