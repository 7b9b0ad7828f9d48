import { join } from 'node:path';
import type { Environment } from '../formats/format.ts';

/** An environment variable with something in it. */
export function variable(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? undefined : value;
}

/** The folder where desktop applications store their data. */
export function applicationData(home: string, env: Environment, platform: string = process.platform): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return variable(env, 'APPDATA') ?? join(home, 'AppData', 'Roaming');
  return variable(env, 'XDG_CONFIG_HOME') ?? join(home, '.config');
}
