/** The value of each concern of a review per method used. */
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { mean } from '../stats/descriptive.ts';
import { pointsOf } from './counts.ts';
import type { RunEvidence } from './evidence.ts';
import { evidenceWith, SIX_ERRORS } from './example-evidence.ts';
import { meanOverRuns } from './mean-over-runs.ts';
import type { ReviewMetric } from './metric.ts';

export type ConcernValue = {
  readonly id: string;
  readonly layer: string;
  readonly points: number;
  readonly methods: number;
  /** Points per method; unmeasured if no method is recorded. */
  readonly efficiency: Measurement;
};

/**
 * Concerns that the run declares, and those that only its findings name. The layer of the latter is their first letter.
 */
export function concernValues(run: RunEvidence): ConcernValue[] {
  const declared = new Map(run.concerns.map((concern) => [concern.id, concern]));
  const named = run.findings.flatMap(({ concern }) => concern ?? []);
  const errors = new Map(run.errors.map((error) => [error.id, error]));
  return [...new Set([...declared.keys(), ...named])].sort().map((id) => {
    const findings = run.findings.filter(({ concern }) => concern === id);
    const points = findings.reduce((sum, { error, class: of }) => {
      const known = of === 'MATCHED' || of === 'PARTIAL' ? errors.get(error ?? '') : undefined;
      return known === undefined ? sum : sum + known.credit * pointsOf(known);
    }, 0);
    const used = new Set([
      ...(declared.get(id)?.methods ?? []),
      ...findings.flatMap(({ methods }) => methods ?? []),
    ]);
    return {
      id,
      layer: (declared.get(id)?.layer ?? id.slice(0, 1)).toUpperCase(),
      points,
      methods: used.size,
      efficiency:
        used.size === 0
          ? unmeasured(`concern ${id} records no methods`)
          : estimate(points / used.size, used.size),
    };
  });
}

/** Mean over the concerns of one layer, or of all. */
export function concernEfficiency(run: RunEvidence, layer?: string): Measurement {
  const all = concernValues(run);
  const concerns = all.filter((concern) => layer === undefined || concern.layer === layer);
  const values = concerns.flatMap(({ efficiency }) => (efficiency.measured ? [efficiency.value] : []));
  const value = mean(values);
  if (value !== undefined) return estimate(value, values.length);
  if (concerns.length > 0) return unmeasured('no concern records the methods used for it');
  return unmeasured(all.length === 0 ? 'no finding names a concern' : `no concern of layer ${layer}`);
}

/** 3 points from A1 (two methods), 2 from A2 (one), 2 from B1 (four), none from C1 (one). */
export const CONCERNS_EXAMPLE: RunEvidence = evidenceWith({
  errors: SIX_ERRORS,
  concernOf: ['A1', 'A2', 'B1'],
  concerns: [
    { id: 'A1', layer: 'A', methods: ['threat model', 'data flow'] },
    { id: 'A2', layer: 'A', methods: ['checklist'] },
    { id: 'B1', layer: 'B', methods: ['five whys', 'premortem', 'checklist', 'walkthrough'] },
    { id: 'C1', layer: 'C', methods: ['checklist'] },
  ],
});

export function layerEfficiency(layer: 'A' | 'B' | 'C', given: string, value: number): ReviewMetric {
  return {
    id: `workflow/ce-layer-${layer.toLowerCase()}`,
    file: `concern-efficiency-layer-${layer.toLowerCase()}`,
    label: `CE_layer_${layer}`,
    title: `Concern efficiency, layer ${layer}`,
    question: `What is one method worth in the concerns of layer ${layer}?`,
    formula: `mean over the concerns of layer ${layer} of points found from the concern / methods used for it`,
    unit: 'count',
    range: [0, Number.POSITIVE_INFINITY],
    better: 'higher',
    example: { given, cases: [CONCERNS_EXAMPLE], value },
    compute: (runs) =>
      meanOverRuns(runs, [0, Number.POSITIVE_INFINITY], (run) => concernEfficiency(run, layer)),
  };
}
