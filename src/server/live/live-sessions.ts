/** Live sessions in the server: scores, stores and publishes what is watched and what is sent. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sessionNews } from '../../api/schema/session-event.ts';
import { encode } from '../../api/wire.ts';
import { AssayError } from '../../errors.ts';
import { raiseSessionAlert } from '../../operations/alerts/raise-session-alert.ts';
import { EventDeliveries } from '../../operations/session/deliver-events.ts';
import { deliveryTargets } from '../../operations/session/delivery-targets.ts';
import { SessionIntake } from '../../operations/session/session-intake.ts';
import { userDataFolder } from '../../own-folder.ts';
import type { BackgroundTask, ServerServices as Services } from '../services.ts';
import { repositoriesOf } from '../session-query.ts';
import { type WatchThread, watchInThread } from './watch-thread.ts';

const MINUTE_MS = 60_000;
const MEGABYTE = 1_000_000;
const AGAIN_MS = 5000;

export class LiveSessions {
  #intake: SessionIntake | undefined;
  #deliveries: EventDeliveries | undefined;
  #watched: Promise<WatchThread> | undefined;
  /** Ends waits between retries once the server stops. */
  readonly #stopping = new AbortController();

  /** Receives what agents send. */
  get intake(): SessionIntake {
    if (this.#intake === undefined)
      throw new AssayError('STOPPED', 'the server is starting or stopping and accepts no sessions right now');
    return this.#intake;
  }

  async start(services: Services): Promise<void> {
    const { sessions, config, log } = services;
    const targets = deliveryTargets(config.session, services.machine.environment);
    const touch = (work: (watched: WatchThread) => void) => void this.#watched?.then(work).catch(() => {});
    const store = await sessions.store();
    const intake = new SessionIntake(store.intake, config.session.intakeMegabytes * MEGABYTE, {
      onStreams: (streams) => touch((watched) => watched.addStreams(streams)),
      onEnded: (path) => touch((watched) => watched.end(path)),
      onFailure: (why) => log('error', 'intake', { why }),
    });
    const deliveries = new EventDeliveries(targets, sessions, {
      onFailure: (failure) => log('warn', 'not delivered', failure),
    });
    this.#deliveries = deliveries;
    deliveries.wake();
    this.#follow(services, intake, deliveries);
    this.#intake = intake;
  }

  /** What was acknowledged is stored by then, and scored where there was time for it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const intake = this.#intake;
    this.#intake = undefined;
    const watched = await this.#watched?.catch(() => undefined);
    await watched?.stop();
    await intake?.stop();
    await this.#deliveries?.stop();
  }

  /** Until the server stops: if the thread ends for any reason, a new one starts from what is stored. */
  #follow(services: Services, intake: SessionIntake, deliveries: EventDeliveries): void {
    this.#watched = this.#watchAtLast(services, intake, deliveries);
    this.#watched
      .then(async ({ ended }) => {
        await ended;
        if (this.#stopping.signal.aborted) return;
        services.log('error', 'not watching', { why: 'the thread has ended' });
        await sleep(AGAIN_MS, undefined, { ref: false, signal: this.#stopping.signal });
        this.#follow(services, intake, deliveries);
      })
      .catch(() => {});
  }

  /** Retries, because a store may be locked or full only at the start. */
  async #watchAtLast(
    services: Services,
    intake: SessionIntake,
    deliveries: EventDeliveries,
  ): Promise<WatchThread> {
    for (;;) {
      try {
        return await this.#watch(services, intake, deliveries);
      } catch (error) {
        services.log('error', 'not watching', { why: String(error) });
        if (this.#stopping.signal.aborted) throw error;
        await sleep(AGAIN_MS, undefined, { ref: false, signal: this.#stopping.signal });
      }
    }
  }

  async #watch(
    { sessions, project, machine, config, events, log }: Services,
    intake: SessionIntake,
    deliveries: EventDeliveries,
  ): Promise<WatchThread> {
    const { home, environment } = machine;
    const silenceMs = config.session.silenceMinutes * MINUTE_MS;
    const since = await deliveries.since(silenceMs);
    const { streams, ended } = await intake.begin(silenceMs);
    const { isShared } = intake;
    const watched = await watchInThread(
      {
        from: { paths: [], ...machine },
        sent: { streams, isShared },
        scoring: { taskTypeOf: config.session.taskTypes },
        // A repository of this machine would say of a session what no other server says.
        ...(!isShared && {
          repositories: repositoriesOf({ home, environment: { HOME: home, ...environment } }, config),
        }),
        silenceMs,
        deliverTo: deliveries.targets,
        marks: join(userDataFolder({ HOME: home, ...environment }), 'hooks'),
        ...(since === undefined ? {} : { since }),
      },
      {
        ...sessions,
        reportStorageFailure: (error) => log('error', 'not stored', { code: error.code, why: error.message }),
      },
      async (event, row) => {
        if (event.type === 'session.scored') deliveries.wake();
        const raised = await raiseSessionAlert({ event, below: config.session.flagBelow }, project).catch(
          (error) => void log('error', 'alert not stored', { why: String(error) }),
        );
        if (raised !== undefined)
          events.publish('alert.changed', { id: raised.alertId, state: 'open' }, raised.project);
        events.publish(event.type, encode(sessionNews, { ...event, row }), event.project);
      },
    );
    await deliveries.begun().catch((error) => log('error', 'not stored', { why: String(error) }));
    for (const path of ended) watched.end(path);
    return watched;
  }
}

export const LIVE_TASK: BackgroundTask = {
  name: 'live sessions',
  check: ({ config, machine }) => void deliveryTargets(config.session, machine.environment),
  start: async (services) => {
    await services.live.start(services);
    return { stop: () => services.live.stop() };
  },
};
