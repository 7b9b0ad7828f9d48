import { createRequire } from 'node:module';
import { userInfo } from 'node:os';

/** Who answers for a decision: the name that commits carry, else the one of the account. */
export function gitIdentity(cwd: string | undefined): string {
  const [name, email] = ['user.name', 'user.email'].map((key) => gitSetting(key, cwd));
  if (name !== undefined) return email === undefined ? name : `${name} <${email}>`;
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

function gitSetting(key: string, cwd: string | undefined): string | undefined {
  // Few runs ask, and the module brings the whole network with it.
  const { spawnSync } = createRequire(import.meta.url)(
    'node:child_process',
  ) as typeof import('node:child_process');
  const { status, stdout } = spawnSync('git', ['config', key], {
    cwd,
    encoding: 'utf8',
    timeout: 5000,
  });
  const value = status === 0 ? stdout.trim() : '';
  return value === '' ? undefined : value.slice(0, 200);
}
