/** An investigation for people: the template of the specification filled in, with the evidence in its place. */
import type { JudgedMetric } from '../../judge/verdict.ts';
import type { Given } from '../../report/action.ts';
import { renderMarkdown } from '../../report/markdown.ts';
import { formatAmount, formatMeasurement, formatValue } from '../../report/number.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { Block, TableBlock, View } from '../../report/view.ts';
import { type Investigated, type Investigation, inZone, overallOf } from '../investigate/investigation.ts';
import type { Confusion } from '../investigate/relationships.ts';
import { traitsOf } from '../investigate/traits.ts';
import { confusionChart, evidenceTables, suspicionsTable } from './investigation-evidence.ts';
import { SEMANTIC_REMEDY } from './run-view.ts';
import { investigationNext, planCommands } from './verification-plan.ts';

export function titleOf({ id }: Investigation): string {
  return `Failure Investigation: ${id}`;
}

export function failingText(one: Investigation): string {
  const [failing, below] = [inZone(one, 'fail'), inZone(one, 'below target')];
  const rest = below.length === 0 ? '' : `; below target: ${below.map(({ title }) => title).join(', ')}`;
  return `${failing.length === 0 ? 'none in the fail zone' : failing.map(sayFailing).join('; ')}${rest}`;
}

/** `Concept recall 55.6% (fails below 60.0%)`. */
function sayFailing({ title, unit, measurement, zones, better }: JudgedMetric): string {
  const line =
    zones === undefined
      ? ''
      : ` (fails ${better === 'higher' ? 'below' : 'above'} ${formatValue(zones.fail, unit)})`;
  return `${title} ${formatMeasurement(measurement, unit)}${line}`;
}

/** A page has room for everything; a screen shows what fits and the rest on demand. */
export type Room = 'screen' | 'page';

/** The sections of the template, in its order and with its names. */
export type Sections = {
  readonly symptoms: readonly Block[];
  readonly rootCause: readonly Block[];
  readonly proposedFix: readonly string[];
};

export function sectionsOf({ gated, findings, conclusions, checklist }: Investigation, room: Room): Sections {
  return {
    symptoms: [{ kind: 'metrics', title: 'Metrics', metrics: gated }, ...evidenceTables(findings)],
    rootCause: [
      ...confusionChart(findings.relationships.confusion),
      ...suspicionsTable(findings),
      room === 'screen' ? checklistTable(checklist) : checklistList(checklist),
    ],
    proposedFix: conclusions.proposedFix,
  };
}

function checklistList(checklist: Investigation['checklist']): Block {
  const items = checklist.map(({ section, question, answer }) => `${section} ${question} ${answer}`);
  return { kind: 'list', title: 'Checklist', items };
}

/** A screen shows it on demand. */
function checklistTable(checklist: Investigation['checklist']): Block {
  return {
    kind: 'table',
    title: 'Checklist',
    folded: true,
    columns: [
      { key: 'section', title: 'section', unit: 'name' },
      { key: 'question', title: 'question', unit: 'text' },
      { key: 'answer', title: 'answer', unit: 'text' },
    ],
    rows: checklist.map(({ section, question, answer }) => ({ section, question, answer })),
  };
}

function caseBlocks(
  one: Investigation,
  { date, source }: Investigated,
  given: Given,
  prefix: string,
  room: Room,
): Block[] {
  const { symptoms, rootCause, proposedFix } = sectionsOf(one, room);
  const list = (title: string, items: readonly string[]): Block => ({
    kind: 'list',
    title: `${prefix}${title}`,
    items,
  });
  const named = (block: Block): Block =>
    'title' in block && prefix !== '' ? { ...block, title: `${prefix}${block.title}` } : block;
  return [
    list('Investigated', [
      `Date: ${date}`,
      `Prompt Version: ${one.promptVersion}`,
      `Failing Metric(s): ${failingText(one)}`,
    ]),
    list('Symptoms', one.conclusions.symptoms),
    ...symptoms.map(named),
    list('Root Cause', one.conclusions.rootCause),
    ...rootCause.map(named),
    list('Proposed Fix', proposedFix),
    list(
      'Verification Plan',
      planCommands(one, source, given).map(({ what, command }) => `${what}: ${command}`),
    ),
  ];
}

/** One case in full; several as an overview, in full on a page that has room for them. */
export function investigationView(investigated: Investigated, given: Given = {}, room: Room = 'page'): View {
  const { cases } = investigated;
  const [first] = cases;
  const rest = {
    notes: [...erroredNotes(investigated), ...cleanNote(investigated), ...investigationNotes(investigated)],
    next: investigationNext(investigated, given),
  };
  if (first === undefined)
    return { title: 'Investigation', answer: nothingWrong(investigated), blocks: [], ...rest };
  if (cases.length === 1) {
    const fails = inZone(first, 'fail').map(({ title }) => title);
    const answer = `${fails.length === 0 ? 'No metric is in the fail zone' : `Fails ${fails.join(', ')}`}. ${first.conclusions.symptoms[0] ?? ''}`;
    return {
      title: titleOf(first),
      answer,
      blocks: caseBlocks(first, investigated, given, '', room),
      ...rest,
    };
  }
  return {
    title: `Investigation of ${formatAmount(cases.length, 'case')}`,
    answer: answerOf(cases),
    blocks: [
      overviewTable(cases),
      { kind: 'list', title: 'What stands out, case by case', items: cases.map(sayCause) },
      ...confusionChart(addUp(cases)),
      ...(room === 'page'
        ? cases.flatMap((one) => caseBlocks(one, investigated, given, `${one.id}: `, room))
        : []),
    ],
    ...rest,
  };
}

function nothingWrong({ clean }: Investigated): string {
  return `Nothing to investigate: ${formatAmount(clean.length, 'case')} without a missed or unexpected concept, a wrong or missed relationship, or an unverified quote.`;
}

const WITHOUT_SEMANTIC = `Near misses by meaning are not shown: the offline model is not installed (${SEMANTIC_REMEDY}).`;

/** What was left out, and what was not looked at. */
export function investigationNotes({ leftOut, semantic }: Investigated): string[] {
  return [...leftOut, ...(semantic === 'not installed' ? [WITHOUT_SEMANTIC] : [])];
}

function cleanNote({ clean, cases }: Investigated): string[] {
  return clean.length === 0 || cases.length === 0 ? [] : [`Nothing wrong: ${clean.join(', ')}.`];
}

function erroredNotes({ errored }: Investigated): string[] {
  return errored.map(({ id, error }) => `${id} could not be examined: ${error}`);
}

function answerOf(cases: readonly Investigation[]): string {
  const failing = cases.filter((one) => inZone(one, 'fail').length > 0).length;
  const [worst] = cases;
  return `${failing} of ${formatAmount(cases.length, 'case')} with something to explain fail a metric. The worst is ${worst?.id}: ${worst === undefined ? '' : failingText(worst)}.`;
}

/** What was counted; what it suggests stands with the case. */
function sayCause({ id, conclusions }: Investigation): string {
  const counted = conclusions.rootCause.filter((cause) => !cause.startsWith('Suggestion'));
  return `${id}: ${counted.slice(0, 2).join(' ')}`;
}

function overviewTable(cases: readonly Investigation[]): TableBlock {
  return {
    kind: 'table',
    title: 'Cases, the worst first',
    limit: 10,
    columns: [
      { key: 'case', title: 'case', unit: 'name' },
      { key: 'overall', title: 'overall', unit: 'score' },
      { key: 'failing', title: 'fails', unit: 'count' },
      { key: 'missed', title: 'missed', unit: 'count' },
      { key: 'extra', title: 'extra', unit: 'count' },
      { key: 'canaries', title: 'canaries', unit: 'count' },
      { key: 'wrong', title: 'wrong', unit: 'count' },
      { key: 'quotes', title: 'quotes', unit: 'count' },
    ],
    rows: cases.map((one) => {
      const { missed, extra, canaries, wrong, noQuote, badQuote } = traitsOf(one.findings);
      const overall = overallOf(one);
      return {
        case: one.id,
        overall: Number.isFinite(overall) ? overall : undefined,
        failing: inZone(one, 'fail').length,
        missed,
        extra,
        canaries,
        wrong,
        quotes: noQuote + badQuote,
      };
    }),
  };
}

function addUp(cases: readonly Investigation[]): Confusion[] {
  const sums = new Map<string, Confusion>();
  for (const { expected, extracted, count } of cases.flatMap((one) => one.findings.relationships.confusion)) {
    const key = `${expected} ${extracted}`;
    sums.set(key, { expected, extracted, count: (sums.get(key)?.count ?? 0) + count });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}

/** The template of section 6.6, once for each case. */
export function investigationMarkdown(investigated: Investigated, given: Given): string {
  const { cases, errored, clean } = investigated;
  if (cases.length === 0) return renderMarkdown(investigationView(investigated, given, 'page'));
  const left = [
    ...errored.map(({ id, error }) => `${id} could not be examined: ${error}`),
    ...(clean.length > 0 ? [`Nothing wrong: ${clean.join(', ')}.`] : []),
    ...investigationNotes(investigated),
  ];
  const tail =
    left.length === 0 ? [] : [section('Notes', [{ kind: 'list', title: 'Beside these cases', items: left }])];
  return `${[...cases.map((one) => template(one, investigated, given)), ...tail].join('\n')}`;
}

function template(one: Investigation, { date, source }: Investigated, given: Given): string {
  const { symptoms, rootCause, proposedFix } = sectionsOf(one, 'page');
  const points = (title: string, items: readonly string[]): Block => ({ kind: 'list', title, items });
  return [
    `## ${titleOf(one)}`,
    // Two blanks end a line; without them the three would become one.
    [
      `**Date**: ${date}`,
      `**Prompt Version**: ${one.promptVersion}`,
      `**Failing Metric(s)**: ${failingText(one)}`,
    ].join('  \n'),
    section('Symptoms', [points('What failed', one.conclusions.symptoms), ...symptoms]),
    section('Root Cause', [points('Why', one.conclusions.rootCause), ...rootCause]),
    section('Proposed Fix', [points('What to change', proposedFix)]),
    `### Verification Plan\n\n${planCode(planCommands(one, source, given))}`,
    '',
  ].join('\n\n');
}

/** A section as the report writes a document, one heading deeper. */
function section(title: string, blocks: readonly Block[]): string {
  const [, ...rest] = renderMarkdown({ title, answer: '', blocks, notes: [], next: [] }).split('\n');
  return `### ${title}\n\n${rest.join('\n').trim()}`;
}

/** To be copied as it stands. No line of it can end the fence: each begins with a number sign or a command. */
function planCode(plan: ReturnType<typeof planCommands>): string {
  const lines = plan.flatMap(({ what, command }, i) => [`# ${i + 1}. ${plain(what)}`, plain(command)]);
  return `\`\`\`bash\n${lines.join('\n')}\n\`\`\``;
}
