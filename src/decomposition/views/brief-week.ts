import type { Measurement } from '../../measure/metric.ts';
import { formatAmount, formatCount, formatDuration, formatRatio } from '../../report/number.ts';
import { tableOf } from '../../report/view.ts';
import type { Brief, WeekParts } from '../production/brief/brief.ts';
import type {
  FailureTrend,
  FeedbackCounts,
  FeedbackTrend,
  LatencyTrend,
  LowRequest,
  WeekDay,
} from '../production/brief/week.ts';
import {
  ALERTS_PAGE,
  type BriefSection,
  NO_FEEDBACK,
  NO_REQUESTS,
  NO_SAMPLE,
  PRODUCTION_PAGE,
  requestLinks,
  section,
} from './brief-section.ts';

export function weekSections(brief: Brief, week: WeekParts): BriefSection[] {
  const { operational, sample } = brief;
  const none = operational.requests === 0 ? NO_REQUESTS : undefined;
  const unsampled = sample.sampled === 0 ? (none ?? NO_SAMPLE) : undefined;
  return [
    section(
      'lowest',
      'Lowest-scoring decompositions of the sample',
      unsampled ?? lowestRequests(brief, week.lowest),
    ),
    section('feedback', 'User feedback', feedback(week.feedback)),
    section('failures', 'Failed decompositions', none ?? failures(week.failures)),
    section('latency', 'Latency', none ?? latency(week.latency)),
    section('days', 'Day by day', none ?? dayByDay(week)),
  ];
}

function lowestRequests({ sample }: Brief, lowest: readonly LowRequest[]) {
  const unrated = sample.rated === 0 ? '; none is rated, so only quotes and mentions count' : '';
  return {
    says: [
      `${formatAmount(sample.sampled, 'request')} sampled, ${formatCount(sample.rated)} rated${unrated}.`,
      ...(lowest.length === 0 ? ['None of them had a known problem.'] : []),
      ...lowest.map(lowWords),
    ],
    ...(lowest.length > 0 && {
      table: tableOf(
        'The lowest',
        lowest,
        [
          { key: 'request', unit: 'name', of: ({ id }) => id },
          { key: 'score', unit: 'score' },
          { key: 'topic' },
          { key: 'prompt', unit: 'name', of: ({ promptVersion }) => promptVersion },
          { key: 'why', of: (one) => whyLow(one).join(', ') },
        ],
        { folded: true },
      ),
      links: requestLinks(lowest.map(({ id }) => id)),
    }),
  };
}

function lowWords(one: LowRequest): string {
  const about = [one.topic, one.promptVersion].filter((part) => part !== undefined).join(', ');
  return `${one.id} ${one.score.toFixed(2)}${about === '' ? '' : ` (${about})`}: ${whyLow(one).join(', ')}`;
}

function whyLow({ acceptable, note, stars = 5, ...one }: LowRequest): string[] {
  const { fabricated = 0, unsupportedQuotes: quotes, unmentioned } = one;
  return [
    ...(acceptable !== undefined && acceptable < 0.5
      ? [note === undefined ? 'not acceptable' : `not acceptable: ${note}`]
      : []),
    ...(fabricated === 0 ? [] : [`${formatCount(fabricated)} made up`]),
    ...(stars > 3 ? [] : [`${stars.toFixed(1)} of 5 stars`]),
    ...(quotes?.count ? [`${quotes.count} of ${quotes.of} quotes not in the text`] : []),
    ...(unmentioned?.count ? [`${unmentioned.count} of ${unmentioned.of} concepts not mentioned`] : []),
  ];
}

function feedback({ now, before, patterns, items, words }: FeedbackTrend) {
  if (now.up + now.down === 0) return NO_FEEDBACK;
  const says = [
    `${opinionWords(now)}${before.up + before.down === 0 ? '' : `; before ${opinionWords(before)}`}.`,
    ...patterns.map(
      ({ by, name, down, n, elsewhere, examples }) =>
        `${by} ${name}: ${formatCount(down)} of ${formatCount(n)} disliked, elsewhere ${formatRatio(elsewhere)} (${examples.join(', ')})`,
    ),
    ...items.map(
      ({ label, down, examples }) =>
        `concept “${label}”: disliked ${formatCount(down)} × (${examples.join(', ')})`,
    ),
    ...words.map(
      ({ word, count, example }) =>
        `“${word}” in ${formatAmount(count, 'comment')}, e.g. “${shortened(example)}”`,
    ),
    ...(patterns.length + items.length + words.length === 0
      ? ['No pattern in negative ratings: no topic, version or model stands out.']
      : []),
  ];
  return { says, links: requestLinks([...patterns, ...items].flatMap(({ examples }) => examples)) };
}

function opinionWords({ up, down }: FeedbackCounts): string {
  return `${formatCount(up)} up and ${formatCount(down)} down (${formatRatio(down / (up + down))} disliked)`;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function failures({ rate, before, kinds }: FailureTrend) {
  const was = before.measured ? `; before ${formatRatio(before.value)}` : '';
  const shown = kinds.slice(0, 4);
  return {
    says: [
      rate.measured && rate.value > 0
        ? `${formatRatio(rate.value)} of ${formatAmount(rate.n, 'request')} failed (at most 1% is documented)${was}.`
        : `No request failed${was}.`,
    ],
    ...(shown.length > 0 && {
      links: [
        ...requestLinks(shown.flatMap(({ examples }) => examples.map(({ id }) => id))),
        PRODUCTION_PAGE,
      ],
      table: tableOf('By kind', shown, [
        { key: 'error', of: ({ kind }) => kind },
        { key: 'count', unit: 'count' },
        { key: 'before', unit: 'count' },
        {
          key: 'examples',
          min: 20,
          of: ({ examples }) =>
            examples.map(({ id, at }) => `${id} (${at.slice(5, 16).replace('T', ' ')})`).join(', '),
        },
      ]),
    }),
  };
}

function latency({ now, before, change, slowest }: LatencyTrend) {
  const slow = slowest.flatMap(({ id, latencyMs, topic }) =>
    latencyMs === undefined
      ? []
      : [`${id} ${formatDuration(latencyMs)}${topic === undefined ? '' : ` (${topic})`}`],
  );
  return {
    says: [
      now.p95.measured
        ? `p95 ${formatDuration(now.p95.value)} (target 3 s); ${before.p95.measured ? `before ${formatDuration(before.p95.value)}: ${change}` : 'nothing was measured before'}.`
        : `Not measured: ${now.p95.reason}.`,
      ...(slow.length === 0 ? [] : [`slowest of the sample: ${slow.join(', ')}`]),
    ],
    links: [...requestLinks(slowest.map(({ id }) => id)), PRODUCTION_PAGE],
  };
}

const MOVED: Readonly<Record<string, string>> = { confidences: 'spread of confidence' };

function dayByDay({ days, latency: { days: measured } }: WeekParts) {
  const alerts = days.flatMap((one) => one.alerts);
  const moved = days.filter((one) => (one.moved ?? []).length > 0);
  const seen = new Map(measured.map((one) => [one.day, one]));
  const quantile = (key: 'p50' | 'p95' | 'p99') => ({
    key,
    unit: 'duration-ms' as const,
    of: ({ day }: WeekDay) => {
      const found = seen.get(day)?.[key];
      return found && numberOf(found);
    },
  });
  return {
    says: [
      `${formatAmount(alerts.length, 'alert')}; ${moved.length === 0 ? 'no day' : formatAmount(moved.length, 'day')} with drift against the week before.`,
    ],
    links: [ALERTS_PAGE],
    table: tableOf('By day', days, [
      { key: 'day', title: 'day (UTC)', unit: 'day' },
      { key: 'requests', unit: 'count', of: ({ day }) => seen.get(day)?.requests },
      { ...quantile('p50'), priority: 2 },
      quantile('p95'),
      { ...quantile('p99'), priority: 1 },
      { key: 'up', unit: 'count' },
      { key: 'down', unit: 'count' },
      { key: 'alerts', of: (one) => countedNames(one.alerts) },
      {
        key: 'drift',
        of: ({ moved: names }) => names?.map((name) => MOVED[name] ?? name).join(', '),
      },
    ]),
  };
}

/** `latency-high 2 ×, errors-high` */
function countedNames(names: readonly string[]): string {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, all]) => (all.length === 1 ? name : `${name} ${formatCount(all.length)} ×`))
    .join(', ');
}

/** Without the interval, because a table cell has room for one number. */
function numberOf(one: Measurement): number | undefined {
  return one.measured ? one.value : undefined;
}
