import { z } from 'zod';

/** A part of a list, and where the next one begins. */
export function pageOf<Format extends string, Item extends z.ZodType>(format: Format, item: Item) {
  return z.object({
    format: z.literal(format),
    version: z.literal(1),
    items: z.array(item),
    next: z.string().nullable().describe('The cursor of the next page; `null` when this is the last'),
  });
}
