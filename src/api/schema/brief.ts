import { z } from 'zod';
import type { Brief } from '../../decomposition/production/brief/brief.ts';
import type { BriefSection } from '../../decomposition/views/brief-section.ts';
import { briefSections, plainRows } from '../../decomposition/views/brief-view.ts';
import { from } from '../wire.ts';
import { head } from './parts.ts';

/** A look back at production: every point of the documented weekly, monthly or quarterly review. */
export const brief = z.object({
  ...head('assay-brief'),
  kind: z.enum(['week', 'month', 'quarter']),
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  requests: from('operational.requests', z.number()),
  sampled: from('sample.sampled', z.number()),
  rated: from('sample.rated', z.number()),
  sections: from(
    briefSections,
    z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        says: z.array(z.string()),
        missing: z.string().nullable().describe('Why nothing can be said, and how to change that'),
        rows: from(
          plainRows,
          z
            .array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])))
            .describe('Of its table; null was not measured'),
        ),
        links: from(
          ({ links = [] }: Pick<BriefSection, 'links'>) => links,
          z
            .array(z.object({ text: z.string(), path: z.string() }))
            .describe('Pages of the dashboard to look closer at'),
        ),
      }),
    ),
  ),
  drafts: from(
    ({ month }: Brief) => month?.candidates ?? [],
    z
      .array(
        z.object({
          case: from('golden.id', z.string()),
          request: from('requestId', z.string()),
          golden: z.unknown(),
        }),
      )
      .describe('Golden cases drafted from production'),
  ),
});
