/** Sessions while they go on, in the server: what is watched and what is sent is scored, stored and told. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { encodeSessionEvent } from '../../api/encode/session-event.ts';
import { AssayError } from '../../errors.ts';
import { LiveIntake } from '../../operations/session/live-intake.ts';
import { type WatchedSessions, watchSessions } from '../../operations/session/watch-sessions.ts';
import { userCacheFolder } from '../../own-folder.ts';
import type { BackgroundTask, Services } from '../services.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export class LiveSessions {
  #intake: LiveIntake | undefined;
  #watched: Promise<WatchedSessions> | undefined;
  #prunes: NodeJS.Timeout | undefined;
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
    const touch = (work: (watched: WatchedSessions) => void) =>
      void this.#watched?.then(work).catch(() => {});
    const intake = new LiveIntake(folder, {
      onGrown: (paths) => touch(({ follower }) => follower.touch(paths)),
      onEnded: (path) => touch(({ follower }) => follower.end(path)),
    });
    this.#watched = this.#watch(services, folder);
    this.#watched.catch((error) => log('error', 'live', { why: String(error) }));
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
    clearInterval(this.#prunes);
    const intake = this.#intake;
    this.#intake = undefined;
    await intake?.close();
    const watched = await this.#watched?.catch(() => undefined);
    await watched?.stop();
    this.#cleanUp();
  }

  #watch({ sessions, machine, config, events, log }: Services, spool: string): Promise<WatchedSessions> {
    const { home, environment } = machine;
    const cache = userCacheFolder({ HOME: home, ...environment });
    return watchSessions(
      {
        from: { paths: [], also: [spool], ...machine, cache: join(cache, 'sessions.db') },
        scoring: { taskTypeOf: config.session.taskTypes },
        repositories: { places: [], environment, cache: join(cache, 'outcomes.json') },
        silenceMs: config.session.silenceMinutes * MINUTE_MS,
      },
      {
        ...sessions,
        notKept: (error) => log('error', 'not stored', { code: error.code, why: error.message }),
      },
      (event) => events.publish(event.type, encodeSessionEvent(event)),
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
  start: async (services) => {
    await services.live.start(services);
    return { stop: () => services.live.stop() };
  },
};
