/** Golden cases as the editor of the dashboard gets them. */
import { z } from 'zod';
import { from } from '../wire.ts';
import { goldenFinding } from './decomposition.ts';
import { head } from './parts.ts';

const relationship = z.object({ source: z.string(), target: z.string(), predicate: z.string() });

export const goldenList = z.object({
  ...head('assay-golden-list'),
  cases: z.array(
    z.object({
      id: z.string(),
      topic: z.string(),
      domain: z.string(),
      version: z.string(),
      draft: z.boolean(),
      n_concepts: from(({ concepts }: { readonly concepts: number }) => concepts, z.number()),
      n_relationships: from(
        ({ relationships }: { readonly relationships: number }) => relationships,
        z.number(),
      ),
      n_findings: from(({ findings }: { readonly findings: number }) => findings, z.number()),
    }),
  ),
});

export const goldenEdit = z.object({
  ...head('assay-golden-edit'),
  id: z.string(),
  topic: z.string(),
  domain: z.string(),
  version: z.string(),
  draft: z.string().nullable(),
  text: z.string(),
  sha256: z.string().describe('Of the file: what a change is based on'),
  predicates: z.array(z.string()),
  concepts: z.array(z.object({ label: z.string(), aliases: z.array(z.string()), required: z.boolean() })),
  relationships: z.array(
    relationship.extend({
      required: z.boolean(),
      evidence: z.string().nullable().describe('null: none is given'),
    }),
  ),
  forbidden_concepts: z.array(z.string()),
  forbidden_relationships: z.array(relationship),
  findings: z.array(goldenFinding.omit({ file: true })),
  near_misses: z.array(
    z.object({ label: z.string(), expected: z.string(), runs: z.number(), of: z.number() }),
  ),
  readers: z.array(z.string()),
  agreement: z
    .object({ kappa: z.number().nullable(), items: z.number(), between: z.array(z.string()) })
    .nullable()
    .describe("Cohen's kappa of the last two readers; null: there are no two"),
});

export const goldenSaved = z.object({
  ...head('assay-golden-saved'),
  version: z.string(),
  changed: z.boolean(),
});
