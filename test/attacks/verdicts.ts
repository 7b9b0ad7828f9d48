/** What the gate says of each kind of output: over all golden cases, and of each alone. */
import type { CaseEvidence } from '../../src/decomposition/evidence.ts';
import { examinedAt, examineTrials } from '../../src/decomposition/ingest/collect-cases.ts';
import { parseOutput } from '../../src/decomposition/ingest/output.ts';
import type { Trial } from '../../src/decomposition/ingest/outputs/open-outputs.ts';
import {
  gatePolicy,
  regressionPolicy,
  type Standard,
  standardMetrics,
} from '../../src/decomposition/standard.ts';
import { OVERALL_WEIGHTS } from '../../src/decomposition/weights.ts';
import { AssayError } from '../../src/errors.ts';
import { judge } from '../../src/judge/judge.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { type Examined, measureCases } from '../../src/measure/measure.ts';
import type { Kind } from './kinds.ts';
import type { Gold } from './parts.ts';

export type Guards = 'warn' | 'block';

export type Judged = {
  readonly kind: Kind;
  /** Over all cases, as a configuration without guards says and as `assay init` sets it. */
  readonly suite: Readonly<Record<Guards, Verdict>>;
  /** Case → its own verdict, where guards block. */
  readonly alone: ReadonlyMap<string, Verdict>;
};

export async function judgeKind(kind: Kind, cases: readonly Gold[]): Promise<Judged> {
  const examined: Examined<CaseEvidence>[] = [];
  for (const golden of cases) {
    examined.push(examinedAt(await examineTrials(golden, [trialOf(kind, golden, cases)]), 'alias'));
  }
  return {
    kind,
    suite: { warn: verdictOf(examined, 'warn'), block: verdictOf(examined, 'block') },
    alone: new Map(examined.map((one) => [one.id, verdictOf([one], 'block')])),
  };
}

function trialOf(kind: Kind, golden: Gold, cases: readonly Gold[]): Trial {
  try {
    return parseOutput(kind.make(golden, cases), kind.name);
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return { error: error.message };
  }
}

function verdictOf(examined: readonly Examined<CaseEvidence>[], guards: Guards): Verdict {
  const standard: Standard = {
    weights: OVERALL_WEIGHTS,
    overallScale: 'documented',
    gate: { guards, ...(examined.length === 1 && { minCases: 1 }) },
  };
  const metrics = standardMetrics(standard);
  return judge(
    {
      instrument: 'decomposition',
      subject: 'attack',
      runId: 'attack',
      at: '2026-01-01T00:00:00Z',
      scorer: 'attack',
    },
    metrics,
    examined,
    measureCases(metrics, examined),
    {},
    { gate: gatePolicy(standard), compare: regressionPolicy(standard) },
  );
}

/** Checks that complain about the output, without those about the standard itself. */
export function complaints({ gate }: Verdict): readonly string[] {
  return gate.checks
    .filter(({ id, outcome }) => outcome !== 'passed' && id !== 'standard')
    .map(({ reason }) => reason);
}
