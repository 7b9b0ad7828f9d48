/** Alerts in the server: who is to be told of them is, from the store of the project, until they were. */
import { alertTargets } from '../../operations/alerts/alert-targets.ts';
import { announceAlerts } from '../../operations/alerts/announce-alerts.ts';
import { Outbox } from '../../operations/deliveries/outbox.ts';
import type { ServerEvent } from '../events/hub.ts';
import type { BackgroundTask, Services } from '../services.ts';

const EVERY_MS = 60_000;

export const ALERT_TASK: BackgroundTask = {
  name: 'alerts',
  start: async (services) => {
    const desk = new AlertDesk(services);
    desk.start();
    return desk;
  },
};

class AlertDesk {
  readonly #services: Services;
  readonly #outbox: Outbox;
  #rounds: Promise<void> = Promise.resolve();
  #wakes: NodeJS.Timeout | undefined;
  #listening: { readonly stop: () => void } | undefined;

  constructor(services: Services) {
    const { project, config, machine, log } = services;
    this.#services = services;
    const targets = alertTargets({
      settings: config.alerts,
      environment: machine.environment,
      now: project.now,
      log: ({ type, alert: { id, severity, rule, subject, message } }) =>
        log(type === 'alert.fired' ? 'warn' : 'info', type, { id, severity, rule, subject, message }),
    });
    this.#outbox = new Outbox(targets, project, {
      onFailure: (failure) => log('warn', 'not delivered', failure),
    });
  }

  /** What changes is told at once; each minute it is looked at whether a quiet period or a silence is over. */
  start(): void {
    const round = () => {
      this.#rounds = this.#rounds.then(() => this.#round());
    };
    this.#outbox.wake();
    this.#wakes = setInterval(round, EVERY_MS);
    this.#wakes.unref();
    const tell = ({ type }: ServerEvent) => void (type === 'alert.changed' && round());
    this.#listening = this.#services.events.listen({ tell, end: () => {} });
    round();
  }

  async stop(): Promise<void> {
    this.#listening?.stop();
    clearInterval(this.#wakes);
    await this.#rounds;
    await this.#outbox.stop();
  }

  /** A store that is locked for a while is no reason to stop looking. */
  async #round(): Promise<void> {
    const { project, config, log } = this.#services;
    try {
      const request = { targets: this.#outbox.names, quiet: config.alerts.quiet };
      if ((await announceAlerts(request, project)) > 0) this.#outbox.wake();
    } catch (error) {
      log('error', 'alerts', { why: String(error) });
    }
  }
}
