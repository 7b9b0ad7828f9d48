/** Golden cases of the folder: read and corrected in the dashboard, and nothing else of the folder is written. */
import { z } from 'zod';
import { goldenEdit, goldenList, goldenSaved } from '../../api/schema/golden.ts';
import {
  type GoldenEdit,
  type GoldenPlace,
  listGolden,
  readGoldenEdit,
  saveGoldenEdit,
  saveReading,
} from '../../operations/decomposition/edit-golden.ts';
import { jsonRoute } from '../route.ts';
import type { Services } from '../services.ts';

const MOST = 500;
const label = z.string().trim().min(1).max(1000);
const labels = z.array(label).max(MOST);
const relationship = z.strictObject({ source: label, target: label, predicate: z.string().min(1).max(100) });

const change = z.strictObject({
  based_on: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('The `sha256` of the case when you read it'),
  corrected: z.boolean().default(false).describe('Marks the case as no longer a draft'),
  concepts: z.array(z.strictObject({ label, aliases: labels, required: z.boolean() })).max(MOST),
  relationships: z
    .array(relationship.extend({ required: z.boolean(), evidence: z.string().max(20_000).nullish() }))
    .max(MOST),
  forbidden_concepts: labels,
  forbidden_relationships: z.array(relationship).max(MOST),
});

const reading = z.strictObject({
  by: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}*$/u, 'is one line'),
  concepts: labels,
  relationships: z.array(relationship).max(MOST),
});

export const GOLDEN = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/golden',
    summary: 'Golden cases of the folder',
    scope: 'read',
    answer: goldenList,
    handle: async (_, services) => ({ cases: listGolden(placeOf(services)) }),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/golden/{id}',
    summary:
      'A golden case to edit: its text, expectations, near misses of recent runs and agreement of readers',
    scope: 'read',
    answer: goldenEdit,
    handle: async ({ params }, services) =>
      shown(await readGoldenEdit(params.id, placeOf(services), services.project), services),
  }),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/golden/{id}',
    summary: 'Saves the expectations of a golden case as a new version',
    scope: 'write',
    audit: { isOfFolder: true },
    body: change,
    answer: goldenSaved,
    handle: async ({ params, body }, services) =>
      saveGoldenEdit(
        params.id,
        {
          basedOn: body.based_on,
          corrected: body.corrected,
          expectedConcepts: body.concepts,
          expectedRelationships: body.relationships.map(({ evidence, ...edge }) => ({
            ...edge,
            ...(evidence && { evidence }),
          })),
          forbiddenConcepts: body.forbidden_concepts,
          forbiddenRelationships: body.forbidden_relationships,
        },
        placeOf(services),
      ),
  }),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/golden/{id}/readings',
    summary: 'Stores what one reader would expect of the text, to compare two readers',
    scope: 'write',
    audit: { isOfFolder: true },
    body: reading,
    answer: goldenEdit,
    handle: async ({ params, body }, services) =>
      shown(await saveReading(params.id, body, placeOf(services), services.project), services),
  }),
];

function placeOf({ folder, config }: Services): GoldenPlace {
  return { root: folder, rules: config.decomposition.golden };
}

function shown({ golden, ...rest }: GoldenEdit, { config }: Services) {
  return {
    ...golden,
    ...rest,
    text: golden.sourceText,
    concepts: golden.expectedConcepts,
    relationships: golden.expectedRelationships,
    predicates: config.decomposition.golden.predicates,
  };
}
