import { concernEfficiency } from './concerns.ts';
import type { RunEvidence } from './evidence.ts';
import { evidenceWith, SIX_ERRORS } from './example-evidence.ts';
import { meanOverRuns } from './mean-over-runs.ts';
import type { ReviewMetric } from './metric.ts';

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
