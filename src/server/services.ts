import type { Config } from '../config.ts';
import type { Ports } from '../operations/ports.ts';
import type { SessionIntake } from '../operations/session/session-intake.ts';
import type { Machine } from '../operations/session/session-request.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { EventHub, Events } from './events/hub.ts';
import type { LiveSessions } from './live/live-sessions.ts';
import type { Log } from './log.ts';
import type { ServerLimits } from './security/limits.ts';

/** What every resource may use. */
export type Services = {
  /** Ports over the store of sessions: a person's own, unless another was named. */
  readonly sessions: Ports;
  /** Ports over the store of runs, for the folder in which the server was started. */
  readonly project: Ports;
  /** Golden cases, prompts and experiments are looked for from here; an error for those who do not see its project. */
  readonly folder: string;
  readonly isFolderSeen: boolean;
  /** The same folder for everybody: results that its blind evaluations sealed are hidden. */
  readonly sealedIn: string;
  readonly machine: Machine;
  readonly config: Config;
  readonly events: Events;
  /** Sessions while they go on. */
  readonly live: { readonly intake: Pick<SessionIntake, 'lines' | 'telemetry'> };
  /** The project to write to, where a record names none. */
  readonly writesTo?: string | undefined;
  readonly log: Log;
  readonly limits: ServerLimits;
};

/** Of the server itself, which sees everything. */
export type ServerServices = Services & {
  readonly events: EventHub;
  readonly live: LiveSessions;
  readonly audit: AuditLog;
};

/** Does something again and again, never twice at once. `stop` ends when the last round is over. */
export function repeat(everyMs: number, work: () => Promise<void>): { readonly stop: () => Promise<void> } {
  let working: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    working = working.then(work);
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await working;
    },
  };
}

/** A task that runs with the server. `stop` resolves when none of its work can be lost. */
export type BackgroundTask = {
  readonly name: string;
  /** Refuses settings it could not work with, before anybody is answered. */
  readonly check?: (services: ServerServices) => void;
  readonly start: (services: ServerServices) => Promise<{ readonly stop: () => Promise<void> }>;
};
