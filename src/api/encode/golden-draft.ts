import type { z } from 'zod';
import type { GoldenDraft } from '../../decomposition/golden/golden-draft.ts';
import type { goldenDraft } from '../schema/golden-draft.ts';

export function encodeGoldenDraft({ path, golden, findings }: GoldenDraft): z.infer<typeof goldenDraft> {
  return {
    format: 'assay-golden-draft',
    version: 1,
    path,
    id: golden.id,
    n_concepts: golden.expectedConcepts.length,
    n_relationships: golden.expectedRelationships.length,
    n_canaries: golden.forbiddenConcepts.length,
    findings: findings.map(({ rule, place, message }) => ({ rule, place, message })),
  };
}
