/** What goes on while the server runs. */
import { resolve } from 'node:path';
import { stopAtGuardRails } from '../operations/production/experiments.ts';
import { pruneStore } from '../operations/store/prune-store.ts';
import { retentionOf } from '../operations/store/retention-of.ts';
import { ALERT_TASK } from './alerts/alert-desk.ts';
import { STORE_NEWS } from './events/store-news.ts';
import { LIVE_TASK } from './live/live-sessions.ts';
import { type BackgroundTask, repeat, type ServerServices } from './services.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Each is started after the one before it and stopped in the other order. */
export const BACKGROUND: readonly BackgroundTask[] = [
  LIVE_TASK,
  ALERT_TASK,
  STORE_NEWS,
  {
    name: 'retention',
    start: async (services) => {
      await prune(services);
      return repeat(HOUR_MS, () => prune(services));
    },
  },
  {
    // A harmful experiment must not wait until somebody opens its page.
    name: 'the guard rails of experiments',
    start: async (services) => repeat(MINUTE_MS, () => stopExperiments(services)),
  },
];

async function prune({ project, sessions, config, log, audit }: ServerServices): Promise<void> {
  try {
    const { intake, ...others } = retentionOf(config);
    const pruned = [
      ...(await pruneStore({ keep: others }, project)),
      // Intake is in the store of sessions, which may be another one.
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

async function stopExperiments({
  project,
  folder,
  log,
  events,
  audit,
  config,
}: ServerServices): Promise<void> {
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
