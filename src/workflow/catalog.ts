import type { Metric } from '../measure/metric.ts';
import type { RunEvidence } from './evidence.ts';
import { cc } from './metrics/cc.ts';
import { ccPresent } from './metrics/cc-present.ts';
import { ce } from './metrics/ce.ts';
import { ceLayerA } from './metrics/ce-layer-a.ts';
import { ceLayerB } from './metrics/ce-layer-b.ts';
import { ceLayerC } from './metrics/ce-layer-c.ts';
import { dis } from './metrics/dis.ts';
import { dq } from './metrics/dq.ts';
import { dr } from './metrics/dr.ts';
import { drCritical } from './metrics/dr-critical.ts';
import { drImportant } from './metrics/dr-important.ts';
import { drMinor } from './metrics/dr-minor.ts';
import { fc } from './metrics/fc.ts';
import { foundAll } from './metrics/found-all.ts';
import { foundAny } from './metrics/found-any.ts';
import { improvementDeltaWith } from './metrics/improvement-delta.ts';
import { oesWith } from './metrics/oes.ts';
import { precision } from './metrics/precision.ts';
import { precisionGrounded } from './metrics/precision-grounded.ts';
import { rsDq } from './metrics/rs-dq.ts';
import { rsDr } from './metrics/rs-dr.ts';
import { rsPrecision } from './metrics/rs-precision.ts';
import { rsWds } from './metrics/rs-wds.ts';
import { te } from './metrics/te.ts';
import { teNormalised } from './metrics/te-normalised.ts';
import { wds } from './metrics/wds.ts';
import { OES_COMPONENTS, type OesComponent } from './weights.ts';

/** What one run has, in report order. */
export function runMetrics(
  components: readonly OesComponent[] = OES_COMPONENTS,
): readonly Metric<RunEvidence>[] {
  return [
    dr,
    drCritical,
    drImportant,
    drMinor,
    wds,
    te,
    teNormalised,
    ce,
    ceLayerA,
    ceLayerB,
    ceLayerC,
    precision,
    precisionGrounded,
    dis,
    dq,
    cc,
    ccPresent,
    oesWith(components),
  ];
}

/** What only repeated runs have. */
export const REPEATED_METRICS: readonly Metric<RunEvidence>[] = [
  rsDr,
  rsWds,
  rsPrecision,
  rsDq,
  fc,
  foundAny,
  foundAll,
];

/** In report order. */
export function workflowMetrics(
  components: readonly OesComponent[] = OES_COMPONENTS,
): readonly Metric<RunEvidence>[] {
  return [...runMetrics(components), ...REPEATED_METRICS, improvementDeltaWith(components)];
}
