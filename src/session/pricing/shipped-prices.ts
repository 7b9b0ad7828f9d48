/** Which table of prices is installed, without loading it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The default prices of sessions. */
export function shippedPricesName(): string {
  return `genai-prices ${versionOf('@pydantic/genai-prices')}`;
}

function versionOf(name: string): string {
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const parsed: unknown = JSON.parse(readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8'));
    if (typeof parsed === 'object' && parsed !== null && 'version' in parsed) return String(parsed.version);
  } catch {
    // Packed in another way: the name alone has to do.
  }
  return 'unknown';
}
