import { readFileSync } from 'node:fs';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

/** Stamped on every result: numbers of different versions are never compared silently. */
export const SCORER_VERSION = version;
