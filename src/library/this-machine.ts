import type { Machine } from '../operations/session/session-request.ts';
import { homeOf } from '../own-folder.ts';

/** Where the agents of the current user store their sessions. */
export function thisMachine(): Machine {
  return { home: homeOf(process.env), environment: process.env };
}
