import type { Config } from '../config.ts';
import type { Ports } from '../operations/ports.ts';
import type { Machine } from '../operations/session/session-request.ts';
import type { EventHub } from './events/hub.ts';
import type { LiveSessions } from './live/live-sessions.ts';
import type { Log } from './log.ts';
import type { ServerLimits } from './security/limits.ts';

/** What every resource may use. */
export type Services = {
  /** Ports over the store of sessions: a person's own, unless another was named. */
  readonly sessions: Ports;
  /** Ports over the store of runs: that of the folder the server was started in. */
  readonly project: Ports;
  /** Golden cases, prompts and experiments are looked for from here. */
  readonly folder: string;
  readonly machine: Machine;
  readonly config: Config;
  readonly events: EventHub;
  /** Sessions while they go on. */
  readonly live: LiveSessions;
  readonly log: Log;
  readonly limits: ServerLimits;
};

/** Something that goes on while the server runs. `stop` ends when nothing of it is left to be lost. */
export type BackgroundTask = {
  readonly name: string;
  /** Refuses settings it could not work with, before anybody is answered. */
  readonly check?: (services: Services) => void;
  readonly start: (services: Services) => Promise<{ readonly stop: () => Promise<void> }>;
};
