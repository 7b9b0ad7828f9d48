/** Sessions while they go on, in the server: what is watched and what is sent is scored, stored and told. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeSessionEvent } from '../../api/encode/session-event.ts';
import { AssayError } from '../../errors.ts';
import { raiseSessionAlert } from '../../operations/alerts/raise-session-alert.ts';
import { deliveryTargets, EventDeliveries } from '../../operations/session/deliver-events.ts';
import { LiveIntake } from '../../operations/session/live-intake.ts';
import { userCacheFolder, userDataFolder } from '../../own-folder.ts';
import type { BackgroundTask, ServerServices as Services } from '../services.ts';
import { type WatchThread, watchInThread } from './watch-thread.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const AGAIN_MS = 5000;
const MEGABYTE = 1_000_000;

export class LiveSessions {
  #intake: LiveIntake | undefined;
  #deliveries: EventDeliveries | undefined;
  #watched: Promise<WatchThread> | undefined;
  #prunes: NodeJS.Timeout | undefined;
  /** Who waits for a better time waits no longer once the server stops. */
  readonly #stopping = new AbortController();
  #cleanUp = () => {};

  /** Where what agents send goes to. */
  get intake(): LiveIntake {
    if (this.#intake === undefined)
      throw new AssayError('STOPPED', 'the server is starting or stopping, and takes nothing at the moment');
    return this.#intake;
  }

  async start(services: Services): Promise<void> {
    const { sessions, config, log } = services;
    const { address } = await sessions.store();
    const folder = this.#spoolOf(address);
    const touch = (work: (watched: WatchThread) => void) => void this.#watched?.then(work).catch(() => {});
    const on = {
      onGrown: (paths: readonly string[]) => touch((watched) => watched.touch(paths)),
      onEnded: (path: string) => touch((watched) => watched.end(path)),
    };
    const intake = new LiveIntake(folder, on, config.session.spoolMegabytes * MEGABYTE);
    const targets = deliveryTargets(config.session, services.machine.environment);
    const deliveries = new EventDeliveries(targets, sessions, {
      onFailure: (failure) => log('warn', 'not delivered', failure),
    });
    this.#deliveries = deliveries;
    deliveries.start();
    this.#follow(services, folder, deliveries);
    const prune = () =>
      intake
        .prune(config.session.spoolDays, sessions.now())
        .catch((error) => log('error', 'spool', { why: String(error) }));
    await prune();
    this.#prunes = setInterval(prune, HOUR_MS);
    this.#prunes.unref();
    this.#intake = intake;
  }

  /** What was acknowledged is on the disk by then, and scored where there was time for it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#prunes);
    const intake = this.#intake;
    this.#intake = undefined;
    await intake?.close();
    const watched = await this.#watched?.catch(() => undefined);
    await watched?.stop();
    await this.#deliveries?.stop();
    this.#cleanUp();
  }

  /** Until the server stops: whatever ends the thread, another one takes its place and begins with what is on the disk. */
  #follow(services: Services, spool: string, deliveries: EventDeliveries): void {
    this.#watched = this.#watchAtLast(services, spool, deliveries);
    this.#watched
      .then(async ({ ended }) => {
        await ended;
        if (this.#stopping.signal.aborted) return;
        services.log('error', 'not watching', { why: 'the thread has ended' });
        await sleep(AGAIN_MS, undefined, { ref: false, signal: this.#stopping.signal });
        this.#follow(services, spool, deliveries);
      })
      .catch(() => {});
  }

  /** A store that is locked or full at the start is no reason to watch nothing for good. */
  async #watchAtLast(services: Services, spool: string, deliveries: EventDeliveries): Promise<WatchThread> {
    for (;;) {
      try {
        return await this.#watch(services, spool, deliveries);
      } catch (error) {
        services.log('error', 'not watching', { why: String(error) });
        if (this.#stopping.signal.aborted) throw error;
        await sleep(AGAIN_MS, undefined, { ref: false, signal: this.#stopping.signal });
      }
    }
  }

  async #watch(
    { sessions, project, machine, config, events, log }: Services,
    spool: string,
    deliveries: EventDeliveries,
  ): Promise<WatchThread> {
    const { home, environment } = machine;
    const silenceMs = config.session.silenceMinutes * MINUTE_MS;
    const since = await deliveries.since(silenceMs);
    const cache = userCacheFolder({ HOME: home, ...environment });
    return watchInThread(
      {
        from: { paths: [], also: [spool], ...machine, cache: join(cache, 'sessions.db') },
        scoring: { taskTypeOf: config.session.taskTypes },
        repositories: { places: [], environment, cache: join(cache, 'outcomes.json') },
        silenceMs,
        marks: join(userDataFolder({ HOME: home, ...environment }), 'hooks'),
        ...(since === undefined ? {} : { since }),
      },
      {
        ...sessions,
        notKept: (error) => log('error', 'not stored', { code: error.code, why: error.message }),
      },
      async (event) => {
        // First into the store: what was published need not be told again, what was not is.
        await deliveries.note(event);
        const raised = await raiseSessionAlert({ event, below: config.session.flagBelow }, project).catch(
          (error) => void log('error', 'alert not stored', { why: String(error) }),
        );
        if (raised !== undefined)
          events.publish('alert.changed', { id: raised.alertId, state: 'open' }, raised.project);
        events.publish(event.type, encodeSessionEvent(event), event.project);
      },
    );
  }

  /** Beside the store. One that is in memory has nothing beside it, and is gone with the server. */
  #spoolOf(address: string): string {
    if (address !== ':memory:') return join(dirname(resolve(address)), 'spool');
    const folder = mkdtempSync(join(tmpdir(), 'assay-spool-'));
    this.#cleanUp = () => rmSync(folder, { recursive: true, force: true });
    return folder;
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
