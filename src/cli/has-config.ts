import { findConfigFile } from '../config-files.ts';
import type { Arguments, Terminal } from './command.ts';

/** Whether a configuration was named, or one is here or further up: checking one takes longer than seeing none. */
export function hasConfig({ values }: Arguments, { cwd }: Pick<Terminal, 'cwd'>): boolean {
  return values.config !== undefined || findConfigFile(cwd) !== undefined;
}
