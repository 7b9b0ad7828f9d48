import { ALERT_TASK } from './alerts/alert-desk.ts';
import { STORE_NEWS } from './events/store-news.ts';
import { LIVE_TASK } from './live/live-sessions.ts';
import { EXPERIMENT_GUARD_RAILS } from './production/guard-rails.ts';
import { RETENTION } from './retention.ts';
import type { BackgroundTask } from './services.ts';

/** What goes on while the server runs; each is started after the one before it and stopped in the other order. */
export const BACKGROUND: readonly BackgroundTask[] = [
  LIVE_TASK,
  ALERT_TASK,
  STORE_NEWS,
  RETENTION,
  EXPERIMENT_GUARD_RAILS,
];
