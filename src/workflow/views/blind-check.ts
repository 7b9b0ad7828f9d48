/** View of step 4 of a blind evaluation. */

import type { Action } from '../../report/action.ts';
import { formatAmount, formatCount } from '../../report/number.ts';
import {
  type Block,
  type ItemColumn,
  type ListBlock,
  type TableBlock,
  tableOf,
  type View,
} from '../../report/view.ts';
import type { BiasCheck, EvaluatorCheck } from '../blind/bias-check.ts';

import { type BlindProgress, NOT_SEEN, type Verification } from '../blind/folder.ts';
import { blindStep } from './blind-steps.ts';

export function biasView(check: BiasCheck, folder: string, all = false): View {
  const { evaluators, agreement } = check;
  const flagged = evaluators.filter((one) => one.flagged).map(({ name }) => name);
  const undecided =
    agreement.disputed > 0 && `${formatAmount(agreement.disputed, 'finding')} stay undecided.`;
  const shown = (block: ListBlock): Block[] => {
    const { items } = block;
    if (items.length === 0) return [];
    if (all || items.length <= 10) return [block];
    return [
      { ...block, items: [...items.slice(0, 10), `and ${formatCount(items.length - 10)} more (--all)`] },
    ];
  };
  return {
    title: `Bias check of ${folder}`,
    answer: [
      flagged.length === 0
        ? `No sign of bias in ${formatAmount(evaluators.length, 'evaluator')} over ${formatAmount(check.findings, 'finding')}.`
        : `Signs of bias: ${flagged.join(', ')}.`,
      ...(undecided ? [undecided] : []),
    ].join(' '),
    blocks: [
      ...shown(signs(evaluators)),
      blindTable(evaluators),
      predictionTable(evaluators),
      ...(agreement.authors.length < 2 ? [] : [agreementTable(agreement), ...shown(disputes(check))]),
      decisionTable(check),
    ],
    notes: notesOf(check),
    next: ['export', 'verify'].map((step) => ({
      operation: `workflow blind ${step}`,
      positionals: [folder],
    })),
  };
}

function decisionTable({ decisions }: BiasCheck): TableBlock {
  const columns = [
    { key: 'finding', unit: 'name' },
    { key: 'workflow', unit: 'name', priority: 5 },
    { key: 'run', unit: 'name', priority: 6 },
    { key: 'decision', of: ({ decision }) => decision?.match },
    { key: 'error', unit: 'name', priority: 3, of: ({ decision }) => decision?.error },
    { key: 'state', title: 'how', priority: 4 },
    {
      key: 'why',
      priority: 1,
      of: ({ labels }) => labels.map(({ by, reason }) => `${by}: ${reason ?? ''}`).join('; '),
    },
  ] satisfies readonly ItemColumn<BiasCheck['decisions'][number]>[];
  return tableOf('Decisions about findings', decisions, columns, { folded: true });
}

function signs(evaluators: readonly EvaluatorCheck[]): ListBlock {
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
  return tableOf('Blind assessment against final label', evaluators, [
    { key: 'name', title: 'evaluator', unit: 'name' },
    { key: 'n', unit: 'count', of: (one) => one.blindAgainstFinal.n },
    { key: 'raised', unit: 'count', of: (one) => one.blindAgainstFinal.raised.length },
    { key: 'lowered', unit: 'count', of: (one) => one.blindAgainstFinal.lowered.length },
    { key: 'kappa', unit: 'score', of: (one) => one.blindAgainstFinal.kappa },
    { key: 'generous', unit: 'count', of: (one) => one.departures.generous },
    { key: 'strict', unit: 'count', of: (one) => one.departures.strict },
  ]);
}

function predictionTable(evaluators: readonly EvaluatorCheck[]): TableBlock {
  const groups = evaluators.flatMap(({ name, predictions: { groups: own, brier } }) =>
    own.map((group, index) => ({
      ...group,
      name: index === 0 ? name : '',
      brier: index === 0 ? brier : '',
    })),
  );
  return tableOf('Predictions against detection', groups, [
    { key: 'name', title: 'evaluator', unit: 'name' },
    { key: 'prediction', title: 'said' },
    { key: 'n', title: 'errors', unit: 'count' },
    { key: 'detected', unit: 'count' },
    { key: 'share', title: 'share [95%]', unit: 'ratio' },
    { key: 'brier', title: 'Brier', unit: 'score' },
  ]);
}

function agreementTable({ pairs, alpha }: BiasCheck['agreement']): TableBlock {
  const rows = [
    ...pairs.map(({ authors, n, same, kappa }) => ({
      who: authors.join(', '),
      n,
      same,
      statistic: 'kappa',
      agreement: kappa,
    })),
    { who: 'all', n: alpha.measured ? alpha.n : undefined, statistic: 'alpha', agreement: alpha },
  ];
  return tableOf('Agreement between evaluators', rows, [
    { key: 'who', title: 'evaluators' },
    { key: 'n', unit: 'count' },
    { key: 'same', unit: 'ratio' },
    { key: 'statistic', unit: 'name' },
    { key: 'agreement', unit: 'score' },
  ]);
}

function disputes({ decisions }: BiasCheck): ListBlock {
  const items = decisions
    .filter(({ state }) => state === 'majority' || state === 'disputed')
    .map(({ finding, labels, decision }) => {
      const said = labels.map(
        ({ by, match, error }) => `${by} ${match}${error === undefined ? '' : ` ${error}`}`,
      );
      return `${finding}: ${said.join(', ')} → ${decision === undefined ? 'undecided' : decision.match}`;
    });
  return { kind: 'list', title: 'Disputes', items };
}

function notesOf({ evaluators, agreement, leftOut, runs, truthHash, matcherVersion }: BiasCheck): string[] {
  const unsure = evaluators.filter(
    ({ predictions: { cannotTell, undecided } }) => cannotTell + undecided > 0,
  );
  const blunt = evaluators.filter(({ cannotTell, assessed }) => cannotTell === assessed);
  const { settlers } = agreement;
  return [
    evaluators.length < 2 && 'Only one evaluator, so agreement between people cannot be measured.',
    settlers.length > 0 &&
      `Excluded from agreement, because they only settled disputes: ${settlers.join(', ')}.`,
    blunt.length > 0 &&
      `${blunt.map(({ name }) => name).join(', ')} answered "cannot tell" for every finding, so there is nothing to compare with the labels.`,
    ...unsure.map(
      ({ name, predictions: { cannotTell, undecided } }) =>
        `${name}: "cannot tell" for ${formatAmount(cannotTell, 'error')}, no decided outcome for ${undecided}.`,
    ),
    leftOut.length > 0 && `Left out: ${leftOut.join(', ')}.`,
    'Raised: became a real error in the end; lowered: ceased to be one. Generous and strict: labels that go further, or less far, than the objective criteria.',
    `Detected: matched fully or in part in more than half of ${formatAmount(runs, 'run')}. Brier: 0 is perfect, always MAYBE 0.25.`,
    `Ground truth ${truthHash.slice(0, 12)}, matcher ${matcherVersion}.`,
  ].filter((note) => note !== false);
}

/** The current step of each evaluator: how much is answered, and the entry that sealed it. */
export function statusTable({ evaluators }: BlindProgress): TableBlock {
  return tableOf('Evaluators', evaluators, [
    { key: 'name', title: 'evaluator', unit: 'name' },
    ...STEPS.flatMap((step, i): ItemColumn<BlindProgress['evaluators'][number]>[] => [
      {
        key: step,
        title: `${i + 1} ${step}`,
        unit: 'count',
        of: ({ [step]: { done, of } }) => ({ count: done, of }),
      },
      { key: `${step}_sealed_in`, title: 'sealed in', unit: 'count', of: (one) => one[step].sealedIn },
    ]),
    { key: 'next', of: ({ next = 'done' }) => next },
  ]);
}

const STEPS = ['assess', 'predict', 'match'] as const;

export function statusView(progress: BlindProgress, folder: string): View {
  const { evaluators, disputed = [], openedIn } = progress;
  const done = evaluators.filter(({ next }) => next === undefined).length;
  return {
    title: `Blind evaluation in ${folder}`,
    answer: `${formatAmount(evaluators.length, 'evaluator')}, ${done} done; ${formatAmount(progress.findings, 'finding')}, ${formatAmount(progress.errors, 'known error')}.${progress.disputed === undefined ? '' : ` ${formatAmount(disputed.length, 'disputed finding')}.`}`,
    blocks: evaluators.length === 0 ? [] : [statusTable(progress)],
    notes: [
      disputed.length > 0 &&
        `A further evaluator settles: ${disputed.slice(0, 10).join(', ')}${disputed.length > 10 ? ` and ${disputed.length - 10} more` : ''}.`,
      openedIn !== undefined && `The results were opened in entry ${openedIn}; nothing can be added.`,
      `Entry ${progress.entries}, head ${progress.head.slice(0, 12)}, ground truth ${progress.truthHash.slice(0, 12)}.`,
    ].filter((note) => note !== false),
    next: [nextOf(progress, folder)],
  };
}

/** The next step of the first evaluator with open work; disputes need a new evaluator. */
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
    // A chain that was tampered with has no next step.
    next: result.intact ? [blindStep('status', folder)] : [],
  };
}
