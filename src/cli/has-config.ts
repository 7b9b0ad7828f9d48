import { findConfigFile } from '../config-files.ts';
import type { StoreArguments, Terminal } from './command.ts';

/** Whether a configuration was named, or one is found: checking one takes longer than seeing none. */
export function hasConfig(
  { values }: Pick<StoreArguments, 'values'>,
  { cwd, env, dataOnly }: Pick<Terminal, 'cwd' | 'env' | 'dataOnly'>,
): boolean {
  return values.config !== undefined || findConfigFile({ folder: cwd, env, dataOnly }) !== undefined;
}
