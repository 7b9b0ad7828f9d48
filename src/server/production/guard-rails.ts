import { resolve } from 'node:path';
import { stopAtGuardRails } from '../../operations/production/experiments.ts';
import type { BackgroundTask, ServerServices } from '../services.ts';

const MINUTE_MS = 60_000;

/** An experiment that does harm is not to wait until somebody looks at it. */
export const EXPERIMENT_GUARD_RAILS: BackgroundTask = {
  name: 'the guard rails of experiments',
  start: async (services) => {
    let looking: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      looking = looking.then(() => look(services));
    }, MINUTE_MS);
    timer.unref();
    return {
      stop: async () => {
        clearInterval(timer);
        await looking;
      },
    };
  },
};

async function look({ project, folder, log, events, audit, config }: ServerServices): Promise<void> {
  try {
    const ended = await stopAtGuardRails({ prompts: resolve(folder, 'prompts'), cwd: folder }, project);
    for (const { plan, stopped } of ended) {
      log('warn', 'experiment', { stopped: plan.id, why: stopped?.reasons.join('; ') ?? '' });
      await audit.note('production ab stop', plan.id, config.project);
    }
    if (ended.length > 0) events.publish('production.recorded', {});
  } catch (error) {
    log('warn', 'experiment', { why: error instanceof Error ? error.message : String(error) });
  }
}
