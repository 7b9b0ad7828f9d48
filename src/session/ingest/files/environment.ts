import type { Environment } from '../formats/format.ts';

/** An environment variable with something in it. */
export function variable(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? undefined : value;
}
