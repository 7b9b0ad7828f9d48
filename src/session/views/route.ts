import { estimate } from '../../measure/metric.ts';
import type { RouteResult } from '../../operations/session/plan-routes.ts';
import { carry } from '../../report/action.ts';
import { formatAmount, formatRatio, formatScore, formatUsd } from '../../report/number.ts';
import { type Block, type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { RoutePolicy, RouteWishes, TypeRoute } from '../routing/policy.ts';
import type { Replay } from '../routing/replay.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT } from './wording.ts';

export function routeView({ policy, replay }: RouteResult, given?: SessionsGiven): View {
  return {
    title: 'Which model for which work',
    answer: answerOf(policy),
    blocks: [...policy.types.map(armTable), ...(replay ? [replayList(replay, policy.wishes)] : [])],
    notes: [
      wishesNote(policy.wishes),
      'Who was given which model was not drawn by lot. Q and cost are as if every project were equally hard; what else made tasks hard or easy is not known.',
      ...(isApart(policy)
        ? [
            'A model marked “alone” was never used in a project where the model with most sessions was: nothing compares them.',
          ]
        : []),
      BLIND_SPOT,
    ],
    next: nextStep('frontier', given, { options: given ? carry(given.options, []) : {} }),
  };
}

function answerOf({ types }: RoutePolicy): string {
  if (types.length === 0) return 'No session with a Q, a known cost, a model and a day.';
  return types.map((route) => `${route.taskType}: ${wordsOf(route)}.`).join(' ');
}

function wordsOf(route: TypeRoute): string {
  if (route.answer === 'route') return `take ${route.model}`;
  if (route.answer === 'never compared') {
    const alone = route.arms.filter(({ isApart, odds }) => isApart && odds !== undefined);
    return `no project compares ${alone.map(({ model }) => model).join(', ')} with the others, so none is recommended over it`;
  }
  if (route.answer === 'none keeps to it')
    return 'no model meets the floor and the cap with enough certainty';
  return 'not enough data';
}

function isApart({ types }: RoutePolicy): boolean {
  return types.some(({ arms }) => arms.some((arm) => arm.isApart));
}

function armTable(route: TypeRoute): TableBlock {
  const { taskType, arms, answer } = route;
  const title = `${taskType}: ${wordsOf(route)}`;
  return tableOf(title, arms, [
    { key: 'model', unit: 'name' },
    { key: 'n', unit: 'count', priority: 1 },
    { key: 'days', unit: 'count', priority: 6 },
    {
      key: 'q',
      title: 'Q',
      unit: 'score',
      priority: 1,
      of: ({ meanQ, n, odds, qInterval }) => estimate(meanQ, n, odds && qInterval),
    },
    { key: 'outcome', unit: 'score', priority: 7, of: ({ outcome }) => outcome?.mean },
    { key: 'cost', unit: 'usd', priority: 1, of: ({ meanCostUsd }) => meanCostUsd },
    {
      key: 'failures',
      title: 'fail /100',
      unit: 'count',
      priority: 1,
      of: ({ failing }) => Math.round(100 * failing.center),
    },
    { key: 'floor', title: 'good enough', unit: 'ratio', priority: 5, of: ({ odds }) => odds?.reachesFloor },
    { key: 'share', unit: 'ratio', priority: 1, of: ({ share }) => (answer === 'route' ? share : undefined) },
    // Why a model is not judged is not for wide windows only.
    {
      key: 'note',
      title: '',
      priority: 1,
      min: 14,
      of: ({ odds, isApart: alone }) =>
        [...(odds === undefined ? ['too few'] : []), ...(alone ? ['alone'] : [])].join(', '),
    },
  ]);
}

function wishesNote({ aim, floor, margin, capUsd, least, explore }: RouteWishes): string {
  const what = aim === 'cost' ? 'The cheapest model that is good enough' : 'The best model';
  const enough = `a mean Q of at least ${formatScore(floor)}, at most ${formatScore(margin)} below the best model, and at most ${Math.round(100 * margin)} more failures per 100 sessions`;
  return [
    `${what}: ${enough}`,
    ...(capUsd === undefined ? [] : [`at most ${formatUsd(capUsd)} a session`]),
    `at least ${formatAmount(least, 'session')} of a model`,
    ...(explore > 0 ? [`${formatRatio(explore)} of the tasks to models that are hardly known`] : []),
  ]
    .join('; ')
    .concat(
      '. A session fails that is poor or failed, that you corrected, or that wrote lines which nothing verified. Under “good enough” stands how surely a model keeps to all of it; a share is how often it is the one to take, over what is believed of all.',
    );
}

function replayList(replay: Replay, { margin }: RouteWishes): Block {
  const { sessions, days, leftAlone, neverTried, effective, was, change } = replay;
  return {
    kind: 'list',
    title: `What it would have given on ${formatAmount(sessions, 'session')} of ${formatAmount(days, 'day')}`,
    items: [
      VERDICTS[replay.verdict](formatScore(margin)),
      ...(was && change
        ? [
            `Q per session ${signed(change.q.value, formatScore)} [${signed(change.q.interval.low, formatScore)}, ${signed(change.q.interval.high, formatScore)}] from ${formatScore(was.q)}`,
            `Cost per session ${signed(change.costUsd.value, formatUsd)} [${signed(change.costUsd.interval.low, formatUsd)}, ${signed(change.costUsd.interval.high, formatUsd)}] from ${formatUsd(was.costUsd)}`,
          ]
        : []),
      ...(effective > 0 || change
        ? [
            `It says as much as ${formatAmount(Math.round(effective), 'session')} that the policy itself had taken would`,
          ]
        : []),
      ...(neverTried > 0
        ? [
            `Of ${formatAmount(neverTried, 'session')} nothing is said: what the policy wants was hardly tried there`,
          ]
        : []),
      ...(leftAlone > 0
        ? [
            `${formatAmount(leftAlone, 'session')} left as they were: the other days say too little of their kind of work`,
          ]
        : []),
    ],
  };
}

const VERDICTS: Readonly<Record<Replay['verdict'], (margin: string) => string>> = {
  saves: (margin) => `It would have saved money, at a Q at most ${margin} lower`,
  better: () => 'It would have been better',
  worse: (margin) => `It would have been worse by more than ${margin}`,
  'costs more': () => 'It would have cost more for the same',
  same: () => 'It would have changed nothing',
  'cannot tell: never tried': () => 'The data cannot tell: the past never tried what the policy wants',
  'cannot tell: too few days': () => 'The data cannot tell: sessions of fewer than 10 days',
  'cannot tell: too uncertain': () => 'The data cannot tell: too uncertain',
};

function signed(value: number, format: (size: number) => string): string {
  return `${value < 0 ? '−' : '+'}${format(Math.abs(value))}`;
}
