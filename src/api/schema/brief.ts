import { z } from 'zod';

/** A look back at production: every point of the documented weekly, monthly or quarterly review. */
export const brief = z.object({
  format: z.literal('assay-brief'),
  version: z.literal(1),
  kind: z.enum(['week', 'month', 'quarter']),
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  requests: z.number(),
  sampled: z.number(),
  rated: z.number(),
  sections: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      says: z.array(z.string()),
      missing: z.string().nullable().describe('Why nothing can be said, and how to change that'),
      rows: z
        .array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])))
        .describe('Of its table; null was not measured'),
      links: z
        .array(z.object({ text: z.string(), path: z.string() }))
        .describe('Pages of the dashboard to look closer at'),
    }),
  ),
  drafts: z
    .array(z.object({ case: z.string(), request: z.string(), golden: z.unknown() }))
    .describe('Golden cases drafted from production'),
});
