import { pruneProduction } from '../../operations/production/prune-production.ts';
import type { BackgroundTask, Services } from '../services.ts';

const HOUR_MS = 3_600_000;

/** Texts and requests of production go when their time is over. */
export const PRODUCTION_RETENTION: BackgroundTask = {
  name: 'what is kept of production',
  start: async (services) => {
    await prune(services);
    let pruning: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      pruning = pruning.then(() => prune(services));
    }, HOUR_MS);
    timer.unref();
    return {
      stop: async () => {
        clearInterval(timer);
        await pruning;
      },
    };
  },
};

async function prune({ project, config, log }: Services): Promise<void> {
  try {
    const { texts, records } = await pruneProduction(config.production, project);
    if (texts + records > 0) log('info', 'production', { deleted_texts: texts, deleted_requests: records });
  } catch (error) {
    log('warn', 'production', { why: error instanceof Error ? error.message : String(error) });
  }
}
