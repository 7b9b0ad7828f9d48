/** The parts that truths, runs and experiments are made of. */
import { z } from 'zod';
import { show } from '../../say-issue.ts';
import { strict } from './validate.ts';

/** More than any real file has; a reader that stops here cannot be filled without end. */
export const MAX_ITEMS = 100_000;

export const text = z.string().trim().min(1).max(50_000);

/** Something printed in tables and messages: one line without control characters. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^\P{Cc}*$/u, 'must be one line without control characters');

/** Paths are compared as text, so they are written one way: forward slashes, no leading `./`. */
export const file = name.overwrite(normalPath);

export function normalPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, '');
}

const line = z.int().min(1, 'lines count from 1').max(100_000_000);

export const lines = z
  .tuple([line, line], { error: (issue) => `must be [from, to], two line numbers, not ${show(issue.input)}` })
  .refine(([from, to]) => from <= to, {
    error: ({ input }) => `${show(input)} is reversed; the first line comes first`,
  });

/**
 * Lines as other tools write them: some say 0 where they know no line, and leave out an end that equals the start. Both
 * lines of a range that ends before it begins are kept, in order.
 */
export function linesOf(from: number | undefined, to: number | undefined): [number, number] | undefined {
  if (from === undefined || from < 1) return undefined;
  const end = to === undefined || to < 1 ? from : to;
  return [Math.min(from, end), Math.max(from, end)];
}

export const location = strict({
  file: file.optional(),
  section: name.optional(),
  lines: lines.optional(),
}).refine(
  (place) => Object.values(place).some((part) => part !== undefined),
  'says nothing; give a file, a section or lines, or leave the location out',
);

/** Whatever else somebody wants to keep with it. Not read. */
export const properties = z.record(z.string(), z.unknown()).optional();

/** Of each item whose id was seen before: where it is and where the first one is. */
export function repeats(ids: readonly string[]): { readonly index: number; readonly first: number }[] {
  const seen = new Map<string, number>();
  return ids.flatMap((id, index) => {
    const first = seen.get(id);
    if (first === undefined) seen.set(id, index);
    return first === undefined ? [] : [{ index, first }];
  });
}
