import { globSync } from 'node:fs';
import { AssayError } from '../../errors.ts';

/** Paths as they were typed, also where no shell has expanded a pattern. */
export function expandPatterns(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    if (!/[*?{]/.test(pattern)) return [pattern];
    const paths = globSync(pattern).sort();
    if (paths.length === 0) throw new AssayError('FILE_NOT_FOUND', `no file fits ${pattern}`);
    return paths;
  });
}
