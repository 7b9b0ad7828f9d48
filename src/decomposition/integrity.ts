/** Hashes that reveal data that was edited, swapped or removed. */
import { createHash } from 'node:crypto';
import type { Measurements } from '../measure/measure.ts';
import type { GoldenCase } from './ingest/golden-case.ts';

/** The content of a result in any form: its values by metric, over all cases and per case. */
export type ResultValues = {
  readonly runId: string;
  readonly metrics: Measurements;
  readonly cases: Readonly<Record<string, Measurements>>;
};

export function valuesHash({ runId, metrics, cases }: ResultValues): string {
  const values = (measured: Measurements) =>
    Object.keys(measured)
      .toSorted()
      .map((id) => [id, measured[id]?.measured ? measured[id].value : null]);
  const each = Object.keys(cases)
    .toSorted()
    .map((id) => [id, values(cases[id] ?? {})]);
  return sha256([runId, values(metrics), each]);
}

/** Name → version and content. */
export type GoldenVersions = Readonly<Record<string, { readonly version: string; readonly sha256: string }>>;

export function goldenVersions(cases: readonly GoldenCase[]): GoldenVersions {
  return Object.fromEntries(
    cases.map(({ id, version, ...content }) => [id, { version, sha256: sha256(content) }]),
  );
}

/** A case whose expectations differ from the baseline needs a new version. */
export function changedWithoutVersion(then: GoldenVersions = {}, now: GoldenVersions = {}): string[] {
  return Object.entries(now).flatMap(([id, { version, sha256: hash }]) => {
    const before = Object.hasOwn(then, id) ? then[id] : undefined;
    const isSilent = before !== undefined && before.version === version && before.sha256 !== hash;
    return isSilent ? [`golden case ${id} changed since the baseline and is still version ${version}`] : [];
  });
}

/** Hash of the proposal for a case: an unedited draft still has it. */
export function proposalHash({
  expectedConcepts,
  expectedRelationships,
  forbiddenConcepts,
  forbiddenRelationships,
  fields,
}: Pick<
  GoldenCase,
  'fields' | 'expectedConcepts' | 'expectedRelationships' | 'forbiddenConcepts' | 'forbiddenRelationships'
>): string {
  return sha256([
    expectedConcepts.map(({ label, aliases, required }) => [label, aliases, required]),
    expectedRelationships.map(({ source, target, predicate, required }) => [
      source,
      target,
      predicate,
      required,
    ]),
    forbiddenConcepts,
    forbiddenRelationships.map(({ source, target, predicate }) => [source, target, predicate]),
    ...(fields === undefined ? [] : [fields]),
  ]);
}

function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
