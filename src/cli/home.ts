import { homedir } from 'node:os';
import type { Terminal } from './command.ts';

/** Where a person's agents keep their sessions. */
export function homeOf({ env }: Terminal): string {
  return env.HOME !== undefined && env.HOME !== '' ? env.HOME : homedir();
}
