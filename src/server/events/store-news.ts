/** Publishes what commands and other servers write into the stores. */
import { NewsReader } from '../../operations/store-news.ts';
import { type BackgroundTask, repeat, type Services } from '../services.ts';
import type { ServerEvent } from './hub.ts';

const LOOK_MS = 1_000;
/** Servers over one store score a session at about the same time, so only unannounced ones are published. */
const ANNOUNCED_WITHIN_MS = 10_000;

export const STORE_NEWS: BackgroundTask = {
  name: 'what commands store',
  start: async (services) => {
    const reader = new NewsReader(services);
    const sessions = new UnpublishedSessions();
    const listening = services.events.listen({
      send: (event) => sessions.markPublished(event),
      end: () => {},
      isOwn: true,
    });
    await look(reader, sessions, services);
    const looks = repeat(LOOK_MS, () => look(reader, sessions, services));
    return {
      stop: async () => {
        listening.stop();
        await looks.stop();
      },
    };
  },
};

/** Stored sessions that were not published, such as those stored by a command. */
class UnpublishedSessions {
  #announcedAt = Number.NEGATIVE_INFINITY;
  #storedAt: number | undefined;

  markPublished({ type }: ServerEvent): void {
    if (type.startsWith('session.') || type === 'reset') this.#announcedAt = performance.now();
  }

  /** Whether some were stored a while ago and are still unpublished. */
  areThere(wereStored: boolean): boolean {
    const now = performance.now();
    if (wereStored) this.#storedAt ??= now;
    if (this.#storedAt === undefined || now - this.#storedAt < ANNOUNCED_WITHIN_MS) return false;
    const isAnnounced = this.#announcedAt >= this.#storedAt - ANNOUNCED_WITHIN_MS;
    this.#storedAt = undefined;
    return !isAnnounced;
  }
}

async function look(
  reader: NewsReader,
  sessions: UnpublishedSessions,
  { events, log }: Services,
): Promise<void> {
  try {
    const { runs, alerts, isElsewhereToo, hasSessions } = await reader.look();
    for (const { runId, instrument, subject, at, project } of runs)
      events.publish('run.stored', { id: runId, instrument, subject, at }, project);
    for (const { alertId, state, project } of alerts)
      events.publish('alert.changed', { id: alertId, state }, project);
    // Which sessions it was would take looking at all of them.
    if (sessions.areThere(hasSessions) || (isElsewhereToo && runs.length + alerts.length === 0))
      events.publish('reset', {});
  } catch (error) {
    log('warn', 'store', { why: error instanceof Error ? error.message : String(error) });
  }
}
