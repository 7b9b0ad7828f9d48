import { pruneStore } from '../operations/store/prune-store.ts';
import { retentionOf } from '../operations/store/retention-of.ts';
import type { BackgroundTask, ServerServices } from './services.ts';

const HOUR_MS = 3_600_000;

/** Each kind of record goes when its time is over. */
export const RETENTION: BackgroundTask = {
  name: 'what is kept for how long',
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

async function prune({ project, sessions, config, log, audit }: ServerServices): Promise<void> {
  try {
    const { intake, ...others } = retentionOf(config);
    const pruned = [
      ...(await pruneStore({ keep: others }, project)),
      // What is sent goes to the store of sessions, which may be another one.
      ...(intake === undefined ? [] : await pruneStore({ keep: { intake } }, sessions)),
    ];
    for (const { kind, records, keptDays } of pruned) {
      if (records === 0) continue;
      log('info', 'retention', { kind, deleted: records });
      await audit.note('store prune', `${kind}=${keptDays}`);
    }
  } catch (error) {
    log('warn', 'retention', { why: error instanceof Error ? error.message : String(error) });
  }
}
