/**
 * Which configurations of folders you trust, by the hash of their content. Hooks, the status line, `assay mcp` and
 * `assay serve` run in folders that others write to: without trust they read no setting that decides where data goes.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnFile, makeOwnFolder, userConfigFolder } from './own-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that decide where data and keys go, which repositories are read, and which programs run. */
const SETTINGS_THAT_NEED_TRUST = [
  'store',
  'session.repositories',
  'session.verify',
  'session.webhook',
  'session.webhookSecret',
  'session.evaluations',
  'session.langfuse',
  'session.phoenix',
  'alerts.webhook',
  'alerts.webhookSecret',
  'alerts.slack',
  'alerts.email',
] as const;

const fileOf = (env: Environment) => join(userConfigFolder(env), 'trusted.json');

function readTrusted(env: Environment): Record<string, string> {
  const path = fileOf(env);
  if (!isOwnFile(path)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, hash]) => typeof hash === 'string'));
  } catch {
    return {};
  }
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

export function isTrustedConfig(path: string, env: Environment): boolean {
  const hash = readTrusted(env)[path];
  return hash !== undefined && hash === hashOf(path);
}

/** False: the user's configuration folder cannot be written to, or is not theirs alone. */
export function setTrust(path: string, isTrusted: boolean, env: Environment): boolean {
  if (!makeOwnFolder(userConfigFolder(env))) return false;
  const { [path]: _, ...others } = readTrusted(env);
  const all = isTrusted ? { ...others, [path]: hashOf(path) } : others;
  try {
    writeFileSync(fileOf(env), `${JSON.stringify(all, undefined, 2)}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** The settings of a configuration file without those that need trust, and the names of those. */
export function withoutUntrusted(value: unknown): { readonly value: unknown; readonly skipped: string[] } {
  if (typeof value !== 'object' || value === null) return { value, skipped: [] };
  const left = structuredClone(value) as Record<string, unknown>;
  const skipped = SETTINGS_THAT_NEED_TRUST.filter((name) => {
    const path = name.split('.');
    const last = path.pop() ?? '';
    let section: unknown = left;
    for (const step of path) section = (section as Record<string, unknown> | undefined)?.[step];
    if (typeof section !== 'object' || section === null || !Object.hasOwn(section, last)) return false;
    delete (section as Record<string, unknown>)[last];
    return true;
  });
  return { value: left, skipped };
}
