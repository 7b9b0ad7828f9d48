import { homeOf as homeIn } from '../own-folder.ts';
import type { Terminal } from './command.ts';

/** Where a person's agents keep their sessions. */
export function homeOf({ env }: Terminal): string {
  return homeIn(env);
}
