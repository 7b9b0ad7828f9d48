import { unmeasured } from '../../measure/metric.ts';
import type { Explanation } from '../../operations/session/explain-session.ts';
import { carry } from '../../report/action.ts';
import type { EarnedChart } from '../../report/chart.ts';
import { formatAmount, formatCount, formatScore, formatUsd } from '../../report/number.ts';
import {
  type Block,
  type ListBlock,
  type Row,
  type TableBlock,
  type Tile,
  tableOf,
  type View,
} from '../../report/view.ts';
import { tierMark } from '../../report/zone-mark.ts';
import { LEAST_OUTCOMES } from '../calibration/success-model.ts';
import type { Quote } from '../ingest/replay/read-quotes.ts';
import type { Moment } from '../ingest/replay/score-by-message.ts';
import { quoted } from '../receipts.ts';
import type { ScoredRun, ScoredSignal } from '../score.ts';
import type { ScoredSession } from '../score-session.ts';
import { CATEGORIES, SIGNALS } from '../signals/catalog.ts';
import { NO_TEXT } from '../unobservable.ts';
import type { Verification } from '../verify/verification.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { agentTitle, BLIND_SPOT, sayOwnWeights, sayVerified } from './wording.ts';

type Shown = SessionsGiven & {
  /** The signals of every run, not only of the one that lost most. */
  readonly everyRun: boolean;
};

export function explanationView(explanation: Explanation, given?: Shown): View {
  const { session, file, moments = [], quotes } = explanation;
  const everyRun = given?.everyRun === true;
  const { runs } = session;
  const shown = everyRun ? runs : runs.toSorted((a, b) => (a.q ?? 1) - (b.q ?? 1)).slice(0, 1);
  return {
    title: `${session.sessionId} · ${agentTitle(session.source)}`,
    answer: `${explanation.headline}. ${answerOf(session)}`,
    tiles: tilesOf(session),
    blocks: [
      ...receiptList(explanation),
      ...(runs.length > 1 ? [runsTable(runs)] : []),
      ...shown.flatMap((run) => runBlocks(run, runs.length > 1 ? `Run ${runs.indexOf(run) + 1}` : 'Signals')),
      ...(quotes === undefined ? [] : quoteTable(quotes)),
      ...momentTable(moments),
    ],
    notes: [
      BLIND_SPOT,
      ...noteOnChance(explanation),
      `Lines are those of ${file.path}${sayElsewhere(explanation)}.`,
      ...(quotes?.length === 0 ? ['The transcript is gone, or says nothing at these lines.'] : []),
      ...noteOnOpinion(session),
      ...noteOnMean(session),
      ...sayOwnWeights(explanation.ownWeights),
    ],
    next: nextOf(explanation, given),
  };
}

/** The answer says the first of them. */
function receiptList({ statements }: Explanation): ListBlock[] {
  const [, ...others] = statements;
  const items = others.map((one) => quoted(one, one.said));
  return items.length === 0 ? [] : [{ kind: 'list', title: 'What else speaks against it', items }];
}

function sayElsewhere({ elsewhere = [] }: Explanation): string {
  return elsewhere
    .map((one) =>
      'after' in one
        ? `; those after ${formatCount(one.after)} are counted on in ${one.path}`
        : `; those of ${one.runs.length === 1 ? 'run' : 'runs'} ${one.runs.join(', ')} are of ${one.path}`,
    )
    .join('');
}

function nextOf({ session, quotes }: Explanation, given: Shown | undefined): View['next'] {
  const carried = given === undefined ? {} : carry(given.options, ['per-message', 'show', 'every-run']);
  const again = (option: string) =>
    nextStep('explain', given, { id: session.sessionId, options: { ...carried, [option]: true } });
  const steps = [
    ...(quotes === undefined ? again('show') : []),
    ...(given?.everyRun === true || session.runs.length === 1 ? [] : again('every-run')),
  ];
  return steps.length > 0 ? steps : nextStep('list', given);
}

function answerOf(session: ScoredSession): string {
  const q =
    session.q === undefined
      ? `unmeasured${whyNot(session)}`
      : `${formatScore(session.q)}, ${session.tier}, ${sayVerified(session.verified)}`;
  const cost =
    session.costUsd === undefined
      ? `cost unknown (${session.costReason})`
      : `${session.costIsLowerBound ? 'at least ' : ''}${formatUsd(session.costUsd)}`;
  return `Q ${q}; ${session.taskType}: ${session.taskTypeReason}; ${cost}; coverage ${formatScore(session.coverage)}${session.lowConfidence ? ' (low confidence)' : ''}.`;
}

function tilesOf(session: ScoredSession): Tile[] {
  const { q, tier, verified, coverage, costUsd, costIsLowerBound, costReason, turns, toolCalls, toolErrors } =
    session;
  const madeOf = session.runs.length > 1 ? 'Runs' : 'Signals';
  return [
    {
      label: 'Q',
      value: q ?? unmeasured('nothing of it was measured'),
      unit: 'score',
      madeOf,
      ...(tier !== undefined && { word: wordOf(tier) }),
      aside: sayVerified(verified),
    },
    {
      label: costIsLowerBound ? 'Cost, at least' : 'Cost',
      value: costUsd ?? unmeasured(costReason ?? 'unknown'),
      unit: 'usd',
    },
    { label: 'Coverage', value: coverage, unit: 'score', madeOf },
    {
      label: 'Turns',
      value: turns,
      unit: 'count',
      aside: `${formatAmount(toolCalls, 'tool call')}, ${formatCount(toolErrors)} failed`,
    },
  ];
}

function wordOf(tier: string): NonNullable<Tile['word']> {
  const { mark, tone } = tierMark(tier);
  return { text: `${mark} ${tier}`, tone };
}

function whyNot({ runs }: ScoredSession): string {
  const isBlank = runs.some((run) =>
    run.categories.completion.signals.some(({ reading }) => !reading.measured && reading.reason === NO_TEXT),
  );
  return isBlank ? ` (${NO_TEXT} and no result, so that only a failure could have shown)` : '';
}

function noteOnChance({ chance, knownOutcomes, session: { verification } }: Explanation): string[] {
  const checked =
    verification === undefined
      ? []
      : [
          `The project's own check (${verification.command}): ${verification.result}${sayReason(verification)}.`,
        ];
  if (chance === undefined)
    return [
      ...checked,
      `How likely it succeeded: no outcomes known yet (${knownOutcomes} of ${LEAST_OUTCOMES}).`,
    ];
  const { p, low, high, n, ofTask } = chance;
  const own = ofTask === 0 ? '' : `, ${formatCount(ofTask)} of the same task`;
  return [
    ...checked,
    `Sessions like this one succeed ${percent(p)}% of the time [${percent(low)}, ${percent(high)}], from ${formatCount(n)} known outcomes${own}. That is no part of Q.`,
  ];
}

const percent = (share: number) => String(Math.round(100 * share));
const sayReason = ({ reason }: Verification) => (reason === undefined ? '' : ` (${reason})`);

/** On a line of its own: it is no part of Q. */
function noteOnOpinion({ opinion }: ScoredSession): string[] {
  return opinion === undefined
    ? []
    : [`${opinion.author} rates it ${opinion.rating} of 5. That is no part of Q.`];
}

function noteOnMean({ runs, weightedBy, runsLeftOut }: ScoredSession): string[] {
  if (runs.length < 2) return [];
  const scored = runs.filter((run) => run.q !== undefined).length;
  const left = runsLeftOut > 0 ? `; ${runsLeftOut} heartbeats are left out beside other work` : '';
  return [`Q is the mean of ${scored} runs weighted by ${weightedBy}${left}.`];
}

/** What was said there, in the words of the transcript. */
function quoteTable(quotes: readonly Quote[]): ListBlock[] {
  const items = quotes.map(({ line, who, text }) => `line ${line}, ${who}: ${text}`);
  return items.length === 0 ? [] : [{ kind: 'list', title: 'What the lines say', items }];
}

/** A smaller change than this is not worth a line. */
const VISIBLE = 0.005;

function momentTable(moments: readonly Moment[]): TableBlock[] {
  const rows = moments.flatMap(({ line, what, q }, i) => {
    const change = q - (moments[i - 1]?.q ?? q);
    return i === 0 || Math.abs(change) >= VISIBLE ? [{ line, what, q, change }] : [];
  });
  if (rows.length === 0) return [];
  return [
    tableOf('Along the session: Q had it ended here, where it moved', rows, [
      { key: 'line', unit: 'count' },
      { key: 'what', title: 'message' },
      { key: 'q', title: 'Q', unit: 'score' },
      { key: 'change', unit: 'score' },
    ]),
  ];
}

function runsTable(runs: readonly ScoredRun[]): TableBlock {
  return tableOf(
    'Runs',
    runs,
    [
      { key: 'run', unit: 'count', of: (_, i) => i + 1 },
      { key: 'task', of: ({ taskType }) => taskType },
      { key: 'q', title: 'Q', unit: 'score' },
      { key: 'case', title: 'special case', of: ({ specialCase }) => specialCase },
      { key: 'cost', unit: 'usd', of: ({ cost }) => cost.costUsd },
    ],
    { limit: 10 },
  );
}

function runBlocks(run: ScoredRun, name: string): Block[] {
  const { specialCase, specialCaseReason: reason } = run;
  return [
    ...(reason === undefined
      ? []
      : [{ kind: 'list' as const, title: `${name}: special case ${specialCase}`, items: [reason] }]),
    { kind: 'chart', repeats: true, chart: earnedChart(run, name) },
    tableOf(reason === undefined ? name : `${name}: what the signals say beside the rule`, signalRows(run), [
      { key: 'signal' },
      { key: 'value', unit: 'score', drawn: true },
      { key: 'weight', unit: 'ratio' },
      { key: 'lost', unit: 'score' },
    ]),
    { kind: 'list', title: 'Why it lost points, biggest first', items: lossesIn(run) },
  ];
}

/** Says where most of it was lost. */
function earnedChart({ categories }: ScoredRun, name: string): EarnedChart {
  const parts = CATEGORIES.map((category) => {
    const { value, weight, contribution } = categories[category];
    return {
      label: capitalised(category),
      weight,
      ...(value !== undefined && { earned: contribution }),
      lost: value === undefined ? 0 : weight - contribution,
    };
  });
  const largest = parts.reduce((most, part) => (part.lost > most.lost ? part : most));
  const title =
    largest.lost < VISIBLE
      ? `${name}: nothing was lost`
      : `${name}: most was lost in ${largest.label.toLowerCase()}, ${formatScore(largest.lost)}`;
  return { kind: 'earned', title, parts: parts.map(({ lost: _, ...part }) => part) };
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function signalRows({ categories }: ScoredRun): Row[] {
  return CATEGORIES.flatMap((category) => {
    const { value, weight, contribution, signals } = categories[category];
    const lost = value === undefined ? undefined : weight - contribution;
    return [{ signal: category.toUpperCase(), value, weight, lost }, ...signals.map(signalRow)];
  });
}

function signalRow({ id, reading, weight, cost }: ScoredSignal): Row {
  const signal = `  ${titleOf(id)}`;
  return reading.measured
    ? { signal, value: reading.value, weight, lost: cost }
    : { signal, value: unmeasured(reading.reason) };
}

function lossesIn({ categories }: ScoredRun): string[] {
  return CATEGORIES.flatMap((category) => categories[category].signals)
    .toSorted((a, b) => b.cost - a.cost)
    .map(({ id, reading, cost }) => {
      if (!reading.measured) return `${titleOf(id)}: – (${reading.reason})`;
      const lines = reading.lines.length > 0 ? ` (line ${reading.lines.join(', ')})` : '';
      return `${titleOf(id)}${cost > VISIBLE ? ` −${formatScore(cost)}` : ''}: ${reading.because}${lines}`;
    });
}

function titleOf(id: string): string {
  return SIGNALS.find((signal) => signal.id === id)?.title ?? id;
}
