import { homedir } from 'node:os';
import type { Machine } from '../operations/session/session-request.ts';

/** Where the agents of whoever runs this program keep their sessions. */
export function thisMachine(): Machine {
  return { home: homedir(), environment: process.env };
}
