/** Words and tables for step 4 of a blind evaluation. */

import type { Action } from '../../report/action.ts';
import { formatAmount, formatCount } from '../../report/number.ts';
import type { Block, Cell, Column, TableBlock, View } from '../../report/view.ts';
import type { BiasCheck, EvaluatorCheck } from '../blind/bias-check.ts';
import type { BlindProgress, StepProgress } from '../blind/folder.ts';
import { NOT_SEEN, type Verification } from '../blind/folder.ts';
import { blindStep } from './blind-steps.ts';

export function biasView(check: BiasCheck, folder: string, all = false): View {
  const { evaluators, agreement } = check;
  const flagged = evaluators.filter((one) => one.flagged).map(({ name }) => name);
  return {
    title: `Bias check of ${folder}`,
    answer: [
      flagged.length === 0
        ? `No sign of bias in ${formatAmount(evaluators.length, 'evaluator')} over ${formatAmount(check.findings, 'finding')}.`
        : `Signs of bias: ${flagged.join(', ')}.`,
      agreement.disputed > 0 ? `${formatAmount(agreement.disputed, 'finding')} stay undecided.` : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    blocks: [
      signs(evaluators),
      blindTable(evaluators),
      predictionTable(evaluators),
      ...agreementBlocks(check),
    ]
      .filter((block) => block.kind !== 'list' || block.items.length > 0)
      .map((block) => (block.kind === 'list' && !all ? { ...block, items: firstTen(block.items) } : block)),
    notes: notesOf(check),
    next: ['export', 'verify'].map((step) => ({
      operation: `workflow blind ${step}`,
      positionals: [folder],
    })),
  };
}

function firstTen(items: readonly string[]): readonly string[] {
  return items.length <= 10
    ? items
    : [...items.slice(0, 10), `and ${formatCount(items.length - 10)} more (--all)`];
}

function signs(evaluators: readonly EvaluatorCheck[]): Block {
  const items = evaluators.flatMap(({ name, indicators, predictions }) => [
    ...indicators.changedAfterTruth.map(
      ({ finding, direction, entry }) =>
        `${name} changed the assessment of ${finding} after seeing the ground truth: ${direction} (entry ${entry}).`,
    ),
    ...indicators.contradicted.map(
      ({ finding, judgement, confidence, match, error }) =>
        `${name} judged ${finding} blind as ${judgement === 'ERROR' ? 'an error' : 'no error'} (${confidence.toLowerCase()} confidence), then labelled it ${match}${error === undefined ? '' : ` ${error}`}.`,
    ),
    ...indicators.generousAgainstNo.map(
      ({ finding, error, because }) =>
        `${name} predicted NO for ${error}, then matched ${finding} generously: ${because}.`,
    ),
    ...indicators.strictAgainstYes.map(
      ({ finding, error, because }) =>
        `${name} predicted YES for ${error}, then was strict with ${finding}: ${because}.`,
    ),
    ...predictions.systematic.map((what) => `${name} predicted systematically wrong: ${what}.`),
  ]);
  return { kind: 'list', title: 'Signs of bias', items };
}

function blindTable(evaluators: readonly EvaluatorCheck[]): TableBlock {
  return {
    kind: 'table',
    title: 'Blind assessment against final label',
    columns: [
      { key: 'name', title: 'evaluator', unit: 'name' },
      { key: 'n', title: 'n', unit: 'count' },
      { key: 'raised', title: 'raised', unit: 'count' },
      { key: 'lowered', title: 'lowered', unit: 'count' },
      { key: 'kappa', title: 'kappa', unit: 'score' },
      { key: 'generous', title: 'generous', unit: 'count' },
      { key: 'strict', title: 'strict', unit: 'count' },
    ],
    rows: evaluators.map(({ name, blindAgainstFinal: { n, raised, lowered, kappa }, departures }) => ({
      name,
      n,
      raised: raised.length,
      lowered: lowered.length,
      kappa,
      ...departures,
    })),
  };
}

function predictionTable(evaluators: readonly EvaluatorCheck[]): TableBlock {
  return {
    kind: 'table',
    title: 'Predictions against detection',
    columns: [
      { key: 'name', title: 'evaluator', unit: 'name' },
      { key: 'prediction', title: 'said', unit: 'text' },
      { key: 'n', title: 'errors', unit: 'count' },
      { key: 'detected', title: 'detected', unit: 'count' },
      { key: 'share', title: 'share [95%]', unit: 'ratio' },
      { key: 'brier', title: 'Brier', unit: 'score' },
    ],
    rows: evaluators.flatMap(({ name, predictions: { groups, brier } }) =>
      groups.map(({ prediction, n, detected, share }, index) => ({
        name: index === 0 ? name : '',
        prediction,
        n,
        detected,
        share,
        brier: index === 0 ? brier : '',
      })),
    ),
  };
}

function agreementBlocks({ agreement, decisions }: BiasCheck): Block[] {
  if (agreement.authors.length < 2) return [];
  const disputes = decisions.filter(({ state }) => state === 'majority' || state === 'disputed');
  return [
    {
      kind: 'table',
      title: 'Agreement between evaluators',
      columns: [
        { key: 'who', title: 'evaluators', unit: 'text' },
        { key: 'n', title: 'n', unit: 'count' },
        { key: 'same', title: 'same', unit: 'ratio' },
        { key: 'statistic', title: 'statistic', unit: 'name' },
        { key: 'agreement', title: 'agreement', unit: 'score' },
      ],
      rows: [
        ...agreement.pairs.map(({ authors, n, same, kappa }) => ({
          who: authors.join(', '),
          n,
          same,
          statistic: 'kappa',
          agreement: kappa,
        })),
        {
          who: 'all',
          n: agreement.alpha.measured ? agreement.alpha.n : undefined,
          same: undefined,
          statistic: 'alpha',
          agreement: agreement.alpha,
        },
      ],
    },
    {
      kind: 'list',
      title: 'Disputes',
      items: disputes.map(({ finding, labels, decision }) => {
        const said = labels.map(
          ({ by, match, error }) => `${by} ${match}${error === undefined ? '' : ` ${error}`}`,
        );
        return `${finding}: ${said.join(', ')} → ${decision === undefined ? 'undecided' : decision.match}`;
      }),
    },
  ];
}

function notesOf({ evaluators, agreement, leftOut, runs, truthHash, matcherVersion }: BiasCheck): string[] {
  const names = (fits: (one: EvaluatorCheck) => boolean) =>
    evaluators
      .filter(fits)
      .map(({ name }) => name)
      .join(', ');
  const unsure = evaluators.flatMap(({ name, predictions: { cannotTell, undecided } }) =>
    cannotTell + undecided > 0
      ? [
          `${name}: "cannot tell" for ${formatAmount(cannotTell, 'error')}, no decided outcome for ${undecided}.`,
        ]
      : [],
  );
  const blunt = names(({ cannotTell, assessed }) => cannotTell === assessed);
  const settlers = agreement.settlers.join(', ');
  return [
    ...(evaluators.length < 2 ? ['One evaluator only: agreement between people cannot be told.'] : []),
    ...(settlers === '' ? [] : [`Only settled disputes, and so left out of the agreement: ${settlers}.`]),
    ...(blunt === ''
      ? []
      : [`${blunt} said "cannot tell" of every finding: there is nothing to hold the labels against.`]),
    ...unsure,
    ...(leftOut.length === 0 ? [] : [`Left out: ${leftOut.join(', ')}.`]),
    'Raised: became a real error in the end; lowered: ceased to be one. Generous and strict: labels that go further, or less far, than the objective criteria.',
    `Detected: matched fully or in part in more than half of ${formatAmount(runs, 'run')}. Brier: 0 is perfect, always MAYBE 0.25.`,
    `Ground truth ${truthHash.slice(0, 12)}, matcher ${matcherVersion}.`,
  ];
}

/** Who is at which step of a blind evaluation, told to people. */
export function statusTable({ evaluators }: BlindProgress): TableBlock {
  return {
    kind: 'table',
    title: 'Evaluators',
    columns: [
      { key: 'name', title: 'evaluator', unit: 'name' },
      ...STEPS.flatMap((step, i): Column[] => [
        { key: step, title: `${i + 1} ${step}`, unit: 'count' },
        { key: `${step}_sealed_in`, title: 'sealed in', unit: 'count' },
      ]),
      { key: 'next', title: 'next', unit: 'text' },
    ],
    rows: evaluators.map((evaluator) => ({
      name: evaluator.name,
      ...Object.fromEntries(STEPS.flatMap((step) => stepCells(step, evaluator[step]))),
      next: evaluator.next ?? 'done',
    })),
  };
}

const STEPS = ['assess', 'predict', 'match'] as const;

/** How much is answered, and the entry that sealed it. */
function stepCells(step: string, { done, of, sealedIn }: StepProgress): [string, Cell][] {
  return [
    [step, { count: done, of }],
    [`${step}_sealed_in`, sealedIn],
  ];
}

export function statusView(progress: BlindProgress, folder: string): View {
  const { evaluators, disputed, openedIn } = progress;
  const done = evaluators.filter(({ next }) => next === undefined).length;
  return {
    title: `Blind evaluation in ${folder}`,
    answer: `${formatAmount(evaluators.length, 'evaluator')}, ${done} done; ${formatAmount(progress.findings, 'finding')}, ${formatAmount(progress.errors, 'known error')}.${disputed === undefined ? '' : ` ${formatAmount(disputed.length, 'disputed finding')}.`}`,
    blocks: evaluators.length === 0 ? [] : [statusTable(progress)],
    notes: [
      ...(disputed === undefined || disputed.length === 0
        ? []
        : [
            `A further evaluator settles: ${disputed.slice(0, 10).join(', ')}${disputed.length > 10 ? ` and ${disputed.length - 10} more` : ''}.`,
          ]),
      ...(openedIn === undefined
        ? []
        : [`The results were opened in entry ${openedIn}; nothing can be added.`]),
      `Entry ${progress.entries}, head ${progress.head.slice(0, 12)}, ground truth ${progress.truthHash.slice(0, 12)}.`,
    ],
    next: [nextOf(progress, folder)],
  };
}

/** The next step of the first who is not done; disputes wait for somebody new. */
function nextOf({ evaluators, disputed = [], openedIn }: BlindProgress, folder: string): Action {
  const waiting = evaluators.find(({ next }) => next !== undefined);
  if (openedIn === undefined && waiting !== undefined)
    return {
      operation: `workflow blind ${waiting.next}`,
      positionals: [folder],
      options: { by: waiting.name },
    };
  const open = evaluators.length === 0 || (openedIn === undefined && disputed.length > 0);
  return { operation: `workflow blind ${open ? 'assess' : 'check'}`, positionals: [folder] };
}

export function verificationView(result: Omit<Verification, 'session'>, folder: string): View {
  return {
    title: `Chain of ${folder}`,
    verdict: result.intact ? 'passed' : 'blocked',
    answer: result.intact
      ? `${formatAmount(result.entries, 'entry', 'entries')} fit together, and so do head, ground truth and findings.`
      : `${result.fault}.`,
    blocks: [],
    notes: [
      ...result.notes,
      ...(result.intact
        ? []
        : [`${formatAmount(result.entries, 'entry', 'entries')} before that can be trusted.`]),
      `${NOT_SEEN} It is checked with --receipt.`,
    ],
    // Nothing goes on from a chain that was tampered with.
    next: result.intact ? [blindStep('status', folder)] : [],
  };
}
