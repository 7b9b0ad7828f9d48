/** Commands write into the stores while the server runs: whoever listens is told. */
import { NewsReader } from '../../operations/store-news.ts';
import type { BackgroundTask, Services } from '../services.ts';

const LOOK_MS = 1_000;

export const STORE_NEWS: BackgroundTask = {
  name: 'what commands store',
  start: async (services) => {
    const reader = new NewsReader(services);
    await look(reader, services);
    let looking: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      looking = looking.then(() => look(reader, services));
    }, LOOK_MS);
    return {
      stop: async () => {
        clearInterval(timer);
        await looking;
      },
    };
  },
};

async function look(reader: NewsReader, { events, log }: Services): Promise<void> {
  try {
    const { runs, alerts, isElsewhereToo } = await reader.look();
    for (const { runId, instrument, subject, at, project } of runs)
      events.publish('run.stored', { id: runId, instrument, subject, at }, project);
    for (const { alertId, state, project } of alerts)
      events.publish('alert.changed', { id: alertId, state }, project);
    // Which sessions it was would take looking at all of them.
    if (isElsewhereToo && runs.length + alerts.length === 0) events.publish('reset', {});
  } catch (error) {
    log('warn', 'store', { why: error instanceof Error ? error.message : String(error) });
  }
}
