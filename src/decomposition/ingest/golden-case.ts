import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { listNames, readJson } from '../../files.ts';
import { checkGoldenSet } from './check-golden.ts';
import { parseWith } from './parse.ts';

export const PREDICATES = ['IS_A', 'CAUSES', 'PRECEDES', 'REQUIRES', 'RELATES_TO'] as const;

const label = z.string().trim().min(1);

const relationship = z.strictObject({ source: label, target: label, predicate: z.enum(PREDICATES) });

/** What a case should produce. */
export const goldenCaseSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens'),
  topic: label,
  domain: z.enum(['ecological', 'technical', 'social', 'economic', 'interdisciplinary']),
  version: z.string(),
  created: z.iso.date(),
  citation: z.string().optional(),
  sourceText: z.string().min(1),
  expectedConcepts: z.array(
    z.strictObject({ label, aliases: z.array(label).default([]), required: z.boolean().default(true) }),
  ),
  expectedRelationships: z.array(
    relationship.extend({ required: z.boolean().default(true), evidence: z.string().optional() }),
  ),
  forbiddenConcepts: z.array(label).default([]),
  forbiddenRelationships: z.array(relationship).default([]),
});

export type GoldenCase = z.infer<typeof goldenCaseSchema>;

export type GoldenSet = {
  readonly cases: readonly GoldenCase[];
  /** Two runs are comparable only against the same hash. */
  readonly hash: string;
};

/** All `*.gold.json` of a folder, checked one by one and against each other. */
export function readGoldenSet(folder: string): GoldenSet {
  const files = listNames(folder, '.gold.json').map((name) => {
    const path = join(folder, name);
    return { path, golden: parseWith(goldenCaseSchema, readJson(path), path) };
  });
  checkGoldenSet(files);
  const cases = files.map(({ golden }) => golden);
  return { cases, hash: createHash('sha256').update(JSON.stringify(cases)).digest('hex') };
}
