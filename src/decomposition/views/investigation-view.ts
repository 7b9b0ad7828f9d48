import type { JudgedMetric } from '../../judge/verdict.ts';
import { type Action, carry, commandLine, type Given } from '../../report/action.ts';
import { renderMarkdown } from '../../report/markdown.ts';
import { formatAmount, formatMeasurement, formatValue } from '../../report/number.ts';
import { plain } from '../../report/unsafe-text.ts';
import { type Block, type TableBlock, tableOf, type View } from '../../report/view.ts';
import {
  type Investigated,
  type InvestigatedSource,
  type Investigation,
  inZone,
  overallOf,
} from '../investigate/findings.ts';
import { traitsOf } from '../investigate/precision.ts';
import type { Confusion } from '../investigate/relationships.ts';
import { parsePromptName } from '../prompts/prompt-folder.ts';
import { confusionChart, evidenceTables, suspicionsTable } from './investigation-evidence.ts';
import { EXTRACTING } from './next-steps.ts';
import { SEMANTIC_REMEDY } from './run-view.ts';

function titleOf({ id }: Investigation): string {
  return `Failure Investigation: ${id}`;
}

function failingText(one: Investigation): string {
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
  const shown = formatMeasurement(measurement, unit);
  // Show more digits if rounding would put the value on the line: 0.646 is not 0.65.
  const isOnLine = zones !== undefined && measurement.measured && shown === formatValue(zones.fail, unit);
  return `${title} ${isOnLine ? exactly(measurement.value, unit) : shown}${line}`;
}

function exactly(value: number, unit: JudgedMetric['unit']): string {
  return unit === 'ratio' ? `${Number((value * 100).toPrecision(6))}%` : String(Number(value.toPrecision(5)));
}

/** A page shows everything; a screen shows what fits, and the rest on request. */
export type Room = 'screen' | 'page';

type Sections = {
  readonly symptoms: readonly Block[];
  readonly rootCause: readonly Block[];
  readonly proposedFix: readonly string[];
};

function sectionsOf({ gated, findings, conclusions, checklist }: Investigation, room: Room): Sections {
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

function checklistTable(checklist: Investigation['checklist']): Block {
  const columns = [{ key: 'section', unit: 'name' }, { key: 'question' }, { key: 'answer' }] as const;
  return tableOf('Checklist', checklist, columns, { folded: true });
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

/** One case in full; several as an overview, or in full on a page. */
export function investigationView(investigated: Investigated, given: Given = {}, room: Room = 'page'): View {
  const { cases } = investigated;
  const [first] = cases;
  const rest = {
    notes: notesOf(investigated),
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
      { kind: 'list', title: 'Main causes by case', items: cases.map(sayCause) },
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

export function investigationNotes({ leftOut, semantic }: Investigated): string[] {
  return [...leftOut, ...(semantic === 'not installed' ? [WITHOUT_SEMANTIC] : [])];
}

function notesOf(investigated: Investigated): string[] {
  const { errored, clean, cases } = investigated;
  return [
    ...errored.map(({ id, error }) => `${id} could not be examined: ${error}`),
    ...(clean.length > 0 && cases.length > 0 ? [`Nothing wrong: ${clean.join(', ')}.`] : []),
    ...investigationNotes(investigated),
  ];
}

function answerOf(cases: readonly Investigation[]): string {
  const failing = cases.filter((one) => inZone(one, 'fail').length > 0).length;
  const [worst] = cases;
  return `${failing} of ${formatAmount(cases.length, 'case')} with something to explain fail a metric. The worst is ${worst?.id}: ${worst === undefined ? '' : failingText(worst)}.`;
}

/** The counts; the conclusions are shown with the case. */
function sayCause({ id, conclusions }: Investigation): string {
  const counted = conclusions.rootCause.filter((cause) => !cause.startsWith('Suggestion'));
  return `${id}: ${counted.slice(0, 2).join(' ')}`;
}

function overviewTable(cases: readonly Investigation[]): TableBlock {
  const rows = cases.map((one) => ({ one, overall: overallOf(one), traits: traitsOf(one.findings) }));
  return tableOf(
    'Cases, the worst first',
    rows,
    [
      { key: 'case', unit: 'name', of: ({ one }) => one.id },
      {
        key: 'overall',
        unit: 'score',
        of: ({ overall }) => (Number.isFinite(overall) ? overall : undefined),
      },
      { key: 'failing', title: 'fails', unit: 'count', of: ({ one }) => inZone(one, 'fail').length },
      { key: 'missed', unit: 'count', of: ({ traits }) => traits.missed },
      { key: 'extra', unit: 'count', of: ({ traits }) => traits.extra },
      { key: 'canaries', unit: 'count', of: ({ traits }) => traits.canaries },
      { key: 'wrong', unit: 'count', of: ({ traits }) => traits.wrong },
      { key: 'quotes', unit: 'count', of: ({ traits }) => traits.noQuote + traits.badQuote },
    ],
    { limit: 10 },
  );
}

function addUp(cases: readonly Investigation[]): Confusion[] {
  const sums = new Map<string, Confusion>();
  for (const { expected, extracted, count } of cases.flatMap((one) => one.findings.relationships.confusion)) {
    const key = `${expected} ${extracted}`;
    sums.set(key, { expected, extracted, count: (sums.get(key)?.count ?? 0) + count });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}

/** The template of section 6.6, once per case. */
export function investigationMarkdown(investigated: Investigated, given: Given): string {
  const { cases } = investigated;
  if (cases.length === 0) return renderMarkdown(investigationView(investigated, given, 'page'));
  const left = notesOf(investigated);
  const tail =
    left.length === 0 ? [] : [section('Notes', [{ kind: 'list', title: 'Beside these cases', items: left }])];
  return `${[...cases.map((one) => template(one, investigated, given)), ...tail].join('\n')}`;
}

function template(one: Investigation, { date, source }: Investigated, given: Given): string {
  const { symptoms, rootCause, proposedFix } = sectionsOf(one, 'page');
  const points = (title: string, items: readonly string[]): Block => ({ kind: 'list', title, items });
  return [
    `## ${titleOf(one)}`,
    // Two trailing spaces are a Markdown line break.
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

/** A section as in a report document, one heading level deeper. */
function section(title: string, blocks: readonly Block[]): string {
  const [, ...rest] = renderMarkdown({ title, answer: '', blocks, notes: [], next: [] }).split('\n');
  return `### ${title}\n\n${rest.join('\n').trim()}`;
}

/** For copying. No line can end the code fence: each begins with a number sign or a command. */
function planCode(plan: ReturnType<typeof planCommands>): string {
  const lines = plan.flatMap(({ what, command }, i) => [`# ${i + 1}. ${plain(what)}`, plain(command)]);
  return `\`\`\`bash\n${lines.join('\n')}\n\`\`\``;
}

export type PlanStep = { readonly what: string; readonly action: Action };

/** Options about the source of outputs, which are the same before and after the change. */
const CARRIED = ['match-level', 'no-semantic', 'config', ...EXTRACTING] as const;

type Change = {
  readonly prompt: string | undefined;
  /** Suffix for the name of the output folder. */
  readonly suffix?: string;
  /** Name all folders; only an investigation accepts more than one. */
  readonly all?: boolean;
};

function stepOn(
  operation: string,
  positionals: readonly string[],
  source: InvestigatedSource,
  given: Given,
  change: Change,
): Action {
  return {
    operation: `decomposition ${operation}`,
    positionals,
    options: {
      ...carry(given, ['golden']),
      ...sourceOptions(source, given, change),
      ...carry(given, CARRIED),
    },
  };
}

export function verificationPlan(one: Investigation, source: InvestigatedSource, given: Given): PlanStep[] {
  const known = one.prompt === undefined ? undefined : parsePromptName(one.prompt);
  const next = known && `${known.stem}-v${known.major}.${known.minor + 1}`;
  const after = { prompt: next ?? one.prompt, suffix: '-next' };
  const again =
    source.kind === 'recorded'
      ? `Extract every case again into ${folderOf(source, '-next')}; then see`
      : 'See';
  const golden = typeof given.golden === 'string' ? given.golden : 'golden';
  return [
    {
      what: 'Keep the result of today',
      action: stepOn('baseline', [], source, given, { prompt: one.prompt }),
    },
    ...(one.findings.suspicions.length > 0
      ? [
          {
            what: 'If the golden case is corrected, check it, and save the result again before anything else changes',
            action: { operation: 'decomposition lint', positionals: [golden] },
          },
        ]
      : []),
    ...(known
      ? [
          {
            what: `Make the change in a new version of the prompt (${next})`,
            action: {
              operation: 'decomposition prompt new',
              positionals: [known.name],
              options: carry(given, ['prompts']),
            },
          },
        ]
      : []),
    {
      what: `${again} that nothing else got worse`,
      action: stepOn('compare', [], source, given, after),
    },
    {
      what: 'See that this case is explained',
      action: stepOn('investigate', [one.id], source, given, after),
    },
  ];
}

function planCommands(
  one: Investigation,
  source: InvestigatedSource,
  given: Given,
): { readonly what: string; readonly command: string }[] {
  return verificationPlan(one, source, given).map(({ what, action }) => ({
    what,
    command: commandLine(action),
  }));
}

/** Suggests the worst case alone, or all of them as a page; without problems, the run itself. */
function investigationNext({ cases, source }: Investigated, given: Given): Action[] {
  const [worst, second] = cases;
  const change = { prompt: typeof given.prompt === 'string' ? given.prompt : undefined };
  if (worst === undefined) return [stepOn('run', [], source, given, change)];
  const closer = (positionals: readonly string[], options: Action['options'] = {}) => {
    const action = stepOn('investigate', positionals, source, given, { ...change, all: true });
    return { ...action, options: { ...options, ...action.options } };
  };
  if (second === undefined) return [closer([worst.id], { format: 'markdown', out: `${worst.id}.md` })];
  return [closer([worst.id]), closer([], { format: 'html', out: 'investigation.html' })];
}

function folderOf({ folders }: Extract<InvestigatedSource, { kind: 'recorded' }>, suffix: string): string {
  return `${(folders[0] ?? '').replace(/(?<!\/)\/+$/, '')}${suffix}`;
}

function sourceOptions(
  source: InvestigatedSource,
  given: Given,
  { prompt, suffix = '', all = false }: Change,
): Action['options'] {
  if (source.kind === 'recorded') {
    const outputs = all ? source.folders.join(',') : folderOf(source, suffix);
    return { outputs, prompt: given.prompt === undefined ? undefined : prompt };
  }
  return { prompt, repeat: source.repeat > 1 ? source.repeat : undefined };
}
