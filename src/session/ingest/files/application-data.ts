/** The folder in which programs with windows keep what is theirs. */
import { join } from 'node:path';
import type { Environment } from '../formats/format.ts';
import { variable } from './environment.ts';

export function applicationData(home: string, env: Environment, platform: string = process.platform): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return variable(env, 'APPDATA') ?? join(home, 'AppData', 'Roaming');
  return variable(env, 'XDG_CONFIG_HOME') ?? join(home, '.config');
}
