import type { Measurement } from '../../measure/metric.ts';
import type { CalibrationResult } from '../../operations/session/calibrate-weights.ts';
import type { JudgingPlan, SessionJudgements } from '../../operations/session/judge-sessions.ts';
import type { RatedPoint, StoredValidation, Validation } from '../../operations/session/validate-scores.ts';
import type { IntervalsChart, ScatterChart } from '../../report/chart.ts';
import { formatAmount, formatCount, formatScore } from '../../report/number.ts';
import { type Block, type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { WeightCalibration } from '../calibration/calibrate.ts';
import type { SuccessReport } from '../calibration/success-report.ts';
import type { OutcomeValidation } from '../calibration/validate-outcomes.ts';
import type { RatingValidation } from '../calibration/validate-ratings.ts';
import { CATEGORIES } from '../signals/catalog.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT, reasonsFor, sayMeasurement } from './wording.ts';

export function calibrationView(
  { calibration, out, notWritten }: CalibrationResult,
  given?: SessionsGiven,
): View {
  const { verdict } = calibration;
  const isFitted = verdict.verdict !== 'too few to tell';
  return {
    title: 'Calibration',
    answer: `${formatAmount(calibration.sessions, 'labelled session')}: ${isFitted ? '' : `${verdict.verdict}: `}${verdict.because}.`,
    blocks: isFitted ? [figureTable(calibration), weightTable(calibration)] : [],
    notes: [
      BLIND_SPOT,
      ...(isFitted ? fitNotes(calibration) : []),
      ...(notWritten === undefined ? [] : [`${notWritten} was not written: no weights were fitted.`]),
    ],
    next:
      // What did not gain is not recommended, neither to keep nor to use.
      !verdict.gained
        ? nextStep('validate', given, { options: given ? labels(given) : {} })
        : out === undefined
          ? nextStep('calibrate', given, { options: { ...(given && labels(given)), out: 'weights.json' } })
          : nextStep('score', given, { options: { weights: out } }),
  };
}

function fitNotes({ verdict, inSample, outOfFold }: WeightCalibration): string[] {
  const { gain } = inSample;
  return [
    ...reasonsFor(outOfFold.figures.flatMap(({ documented, calibrated }) => [documented, calibrated])),
    `On the sessions they were fitted on the gain is ${gain === undefined ? '–' : formatScore(gain.value)}; only the figure out of fold counts.`,
    ...(verdict.gained
      ? []
      : ['The documented weights are the better choice: these are shown to look at, not to use.']),
  ];
}

/** Outcomes are carried on like every option that scoring takes. */
function labels({ options: { ratings } }: SessionsGiven) {
  return ratings === undefined ? {} : { ratings };
}

function figureTable({ method, outOfFold }: WeightCalibration): TableBlock {
  return tableOf(`Out of fold (${method})`, outOfFold.figures, [
    { key: 'scope', title: 'sessions', unit: 'name' },
    { key: 'metric', title: '', of: ({ metric }) => (metric === 'auc' ? 'AUC' : 'Pearson') },
    { key: 'documented', unit: 'score' },
    { key: 'calibrated', unit: 'score' },
  ]);
}

function weightTable({ types, weights }: WeightCalibration): TableBlock {
  return tableOf('Weights', types, [
    { key: 'task', of: ({ taskType }) => taskType },
    ...CATEGORIES.map((category) => ({
      key: category,
      unit: 'score' as const,
      of: ({ taskType }: (typeof types)[number]) => weights.profiles[taskType][category],
    })),
    { key: 'n', unit: 'count' },
    { key: 'fitted', title: '', of: ({ fitted }) => (fitted ? 'fitted' : 'documented') },
  ]);
}

export function validationView(result: Validation, given?: SessionsGiven): View {
  const document = result.against === 'ratings' ? ratingView(result) : outcomeView(result);
  const { ratings, labels } = given?.options ?? {};
  return {
    ...document,
    next: nextStep('calibrate', given, { options: { ratings, labels, out: 'weights.json' } }),
  };
}

/** Q against the ratings that are stored with the sessions, session by session, those furthest apart first. */
export function storedRatingsView({ validation, points, unjoined, success }: StoredValidation): View {
  if (points.length === 0)
    return {
      title: 'Calibration',
      answer: 'No session is rated yet.',
      blocks: success.brier.measured ? successBlocks(success) : [],
      notes: [],
      next: [],
    };
  const apart = ({ q, rating }: RatedPoint) => Math.abs(q - (rating - 1) / 4);
  const furthest = points.toSorted((a, b) => apart(b) - apart(a));
  const document = ratingView(validation);
  return {
    ...document,
    title: 'Calibration',
    blocks: [
      { kind: 'chart', chart: ratingsChart(furthest, validation) },
      ...document.blocks,
      ...successBlocks(success),
      {
        kind: 'table',
        title: 'Rated sessions, furthest apart first',
        columns: [
          { key: 'session_id', title: 'session', unit: 'id' },
          { key: 'task_type', title: 'task', unit: 'text' },
          { key: 'q', title: 'Q', unit: 'score' },
          { key: 'rating', title: 'rating', unit: 'count' },
          { key: 'raters', title: 'raters', unit: 'count' },
        ],
        rows: furthest.map(({ sessionKey, sessionId, taskType, ...one }) => ({
          ...one,
          session_id: sessionId,
          session_key: sessionKey,
          task_type: taskType,
        })),
      },
    ],
    notes: [
      ...document.notes,
      ...(unjoined > 0 ? [`${formatCount(unjoined)} ratings are of sessions that are not stored here.`] : []),
    ],
    next: [],
  };
}

/** More names would cover each other. */
const NAMED = 3;

function ratingsChart(points: readonly RatedPoint[], { overall }: RatingValidation): ScatterChart {
  const { pearson } = overall;
  return {
    kind: 'scatter',
    title: pearson.measured
      ? `Each rated session: Q and ratings go together with r ${formatScore(pearson.value)}`
      : 'Each rated session: its Q and what people said',
    x: { label: 'Q', unit: 'score' },
    y: { label: 'rating, 1 to 5', unit: 'count', range: [0.5, 5.5] },
    points: points.map(({ sessionId, q, rating, taskType }, index) => ({
      label: sessionId.slice(0, 8),
      quiet: index >= NAMED,
      x: q,
      y: rating,
      group: taskType,
    })),
  };
}

type Page = Omit<View, 'next'>;

function ratingView(validation: RatingValidation): Page {
  const { verdict, overall, perType, sessions, raters } = validation;
  const rows = [
    { what: 'all', n: sessions, ...overall },
    ...perType.map(({ taskType, ...rest }) => ({ what: taskType, ...rest })),
  ];
  return {
    title: 'Q against ratings',
    answer: `${formatCount(sessions)} rated sessions: ${verdict.verdict}. ${verdict.because}`,
    blocks: [
      tableOf(
        'The raters themselves',
        [{ n: validation.ratedTwice, value: raters }],
        [
          { key: 'what', title: 'between raters', of: () => 'agreement (Krippendorff’s alpha)' },
          { key: 'n', unit: 'count' },
          { key: 'value', unit: 'score' },
        ],
      ),
      tableOf('Correlation', rows, [
        { key: 'what', title: 'sessions' },
        { key: 'n', unit: 'count' },
        { key: 'pearson', title: 'Pearson', unit: 'score' },
        { key: 'spearman', title: 'Spearman', unit: 'score' },
      ]),
      ...biasList(validation),
    ],
    notes: [
      BLIND_SPOT,
      ...skippedNotes(validation.skipped),
      ...reasonsFor([raters, ...rows.flatMap(({ pearson, spearman }) => [pearson, spearman])]),
      ...precisionNotes(validation),
    ],
  };
}

function precisionNotes({ precision, verdict, sessions }: RatingValidation): string[] {
  const { width, sessions: needed } = precision;
  const known = `To know r to ±${width} takes ${formatCount(needed)} rated sessions; there are ${formatCount(sessions)}.`;
  return verdict.needed === undefined
    ? [known]
    : [known, `If r stayed as it is, ${formatCount(verdict.needed)} would decide the target.`];
}

function biasList({ bias }: RatingValidation): Block[] {
  if (bias.length === 0) return [];
  const items = bias.map(({ taskType, because }) => `${taskType}: ${because}`);
  return [{ kind: 'list', title: 'Bias between task types', items }];
}

function outcomeView(validation: OutcomeValidation): Page {
  const { auc, withinSources, bySource, sessions, successes, perType, perSource, skipped, success } =
    validation;
  const several = perSource.length > 1;
  const rows = [
    row('all together', auc),
    ...(several
      ? [row('within their source', withinSources), row('by the mean of their source', bySource)]
      : []),
    ...perType.map((one) => row(one.taskType, one.auc)),
    ...perSource.map((one) => row(one.source, one.auc)),
  ];
  const counted = `${formatCount(sessions)} sessions, ${formatCount(successes)} of them successes`;
  return {
    title: 'Q against outcomes',
    answer: several
      ? `AUC ${sayMeasurement(withinSources)} within ${formatCount(perSource.length)} sources, ${sayMeasurement(auc)} over ${counted}; 0.50 is chance.`
      : `AUC ${sayMeasurement(auc)} over ${counted}; 0.50 is chance.`,
    blocks: [
      tableOf('How well Q tells success from failure', rows, [
        { key: 'what', title: 'sessions', unit: 'name' },
        { key: 'n', unit: 'count' },
        { key: 'auc', title: 'AUC', unit: 'score' },
      ]),
      ...successBlocks(success),
    ],
    notes: [
      BLIND_SPOT,
      ...(several ? [POOLED] : []),
      coverNote(validation),
      ...skippedNotes(skipped),
      ...reasonsFor(rows.map((one) => one.auc)),
    ],
  };
}

/** How far P(success) can be trusted; what was predicted was not seen. */
function successBlocks({ n, successes, brier, brierOfBaseRate, reliability }: SuccessReport): Block[] {
  if (!brier.measured)
    return [{ kind: 'list', title: 'P(success)', items: [`No outcomes known yet: ${brier.reason}.`] }];
  const chart: IntervalsChart = {
    kind: 'intervals',
    title: 'P(success): the share that succeeded, and what was predicted (tick)',
    unit: 'ratio',
    rows: reliability.map(({ low, high, meanPredicted, observed, interval, n: of }) => ({
      label: `${low.toFixed(1)}–${high.toFixed(1)}, ${formatAmount(of, 'session')}`,
      value: observed,
      ...interval,
      target: meanPredicted,
    })),
  };
  return [
    tableOf(
      'P(success) on outcomes that it had not seen',
      [{ n, successes, brier, brierOfBaseRate }],
      [
        { key: 'n', title: 'known outcomes', unit: 'count' },
        { key: 'successes', unit: 'count' },
        { key: 'brier', title: 'Brier score', unit: 'score' },
        { key: 'base', title: 'of the base rate', unit: 'score', of: (one) => one.brierOfBaseRate },
      ],
    ),
    { kind: 'chart', chart },
  ];
}

const POOLED =
  'Sources differ in how often they succeed, so the figure over all of them also says where a session came from: the row "by the mean of their source" is reached without looking at any session.';

function coverNote({ tasks }: OutcomeValidation): string {
  return tasks === undefined
    ? 'The outcomes name no tasks, so the intervals take every session as a task of its own: too narrow where tasks repeat.'
    : `The first intervals are over ${formatCount(tasks)} tasks; those of one task type or source are over its sessions.`;
}

function row(what: string, auc: Measurement) {
  return { what, n: auc.measured ? auc.n : undefined, auc };
}

function skippedNotes(skipped: Readonly<Record<string, number>>): string[] {
  return Object.entries(skipped).map(([reason, n]) => `${formatCount(n)} left out: ${reason}.`);
}

export function judgementsView(result: SessionJudgements, file: string, given?: SessionsGiven): View {
  const { judged, unjudged, warnings = [] } = result;
  return {
    title: 'What a model says of sessions',
    answer: answerOf(result),
    blocks: [
      tableOf('Ratings', judged, [
        { key: 'session', unit: 'id', of: ({ sessionId }) => sessionId },
        { key: 'type', title: 'task type', of: ({ taskType }) => taskType },
        { key: 'q', title: 'Q', unit: 'score' },
        { key: 'rating', title: 'model, 1–5', unit: 'count' },
        { key: 'reason', title: 'why' },
      ]),
    ],
    notes: [
      'The model saw a digest without Q, and its rating is no part of Q.',
      BLIND_SPOT,
      ...costNotes(result),
      ...unjudged.map(({ sessionId, why }) => `${sessionId} was not judged: ${why}.`),
      ...warnings.map((warning) => `${warning}.`),
    ],
    next: judged.length === 0 ? [] : nextStep('validate', given, { options: { ratings: file } }),
  };
}

function answerOf({ judged, plan, allowed }: SessionJudgements): string {
  const { of, known, asked, model, costUsd, ceilingUsd } = plan;
  if (!allowed) return 'Nothing was sent.';
  const before = known === 0 ? '' : ` ${formatCount(known)} were judged before.`;
  if (asked === 0) {
    const share =
      costUsd === undefined || ceilingUsd === undefined || known === of
        ? ''
        : ` 5% of what they cost leaves $${ceilingUsd.toFixed(4)}, less than one rating takes.`;
    return `None of ${formatCount(of)} sessions was judged.${before}${share}`;
  }
  const unsure = judged.filter((one) => one.rating === undefined).length;
  const unsureNote = unsure === 0 ? '' : `, and could not tell for ${formatCount(unsure)}`;
  return `${model} rated ${formatCount(judged.length - unsure)} of ${formatCount(of)} sessions${unsureNote}.${before}`;
}

function costNotes({ allowed, plan, spentUsd }: SessionJudgements): string[] {
  if (spentUsd !== undefined) return [spentNote(spentUsd, plan)];
  // Without a price there is no ceiling either.
  return allowed && plan.asked > 0 && plan.ceilingUsd === undefined
    ? [
        `The price of ${plan.model} is not known, so it cannot be checked that the ratings cost at most 5% of what the sessions cost.`,
      ]
    : [];
}

function spentNote(spentUsd: number, { costUsd }: JudgingPlan): string {
  const spent = `$${spentUsd.toFixed(4)} was spent`;
  return costUsd === undefined || costUsd === 0
    ? `${spent}.`
    : `${spent}, ${((100 * spentUsd) / costUsd).toFixed(2)}% of the $${costUsd.toFixed(2)} that the sessions cost; 5% is the most.`;
}
