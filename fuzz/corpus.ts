/**
 * Stored inputs. `fuzz/corpus/<target>` is committed: hand-written ones, every input that once broke something, and a
 * few small ones that reach far. `.fuzz/<target>` has inputs found on this machine that reach further.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './target.ts';

export const COMMITTED = 'fuzz/corpus';
export const GROWN = '.fuzz';

type Kept = { readonly name: string; readonly input: Buffer };

export function committedOf({ name, seeds }: Target): readonly Kept[] {
  return [
    ...seeds().map((input, index) => ({ name: `seed ${index + 1}`, input })),
    ...filesIn(join(COMMITTED, name)),
  ];
}

export function grownOf({ name }: Target): readonly Kept[] {
  return filesIn(join(GROWN, name));
}

function filesIn(folder: string): Kept[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((file) => ({ name: join(folder, file), input: readFileSync(join(folder, file)) }));
}

/** Named by a hash of its content, so that nothing is stored twice. */
export function keep(root: string, target: string, prefix: string, input: Uint8Array): string {
  const folder = join(root, target);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${prefix}${createHash('sha256').update(input).digest('hex').slice(0, 12)}`);
  writeFileSync(path, input);
  return path;
}
