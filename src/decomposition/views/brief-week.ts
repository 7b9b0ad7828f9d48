/** The four points of the weekly review. */
import type { Measurement } from '../../measure/metric.ts';
import { formatAmount, formatCount, formatDuration, formatRatio } from '../../report/number.ts';
import type { Brief, WeekParts } from '../production/brief/brief.ts';
import type {
  FailureTrend,
  FeedbackCounts,
  FeedbackTrend,
  LatencyTrend,
  LowRequest,
} from '../production/brief/week.ts';
import {
  type BriefSection,
  missing,
  NO_FEEDBACK,
  NO_REQUESTS,
  NO_SAMPLE,
  PRODUCTION_PAGE,
  requestLinks,
} from './brief-section.ts';

export function weekSections(brief: Brief, week: WeekParts): BriefSection[] {
  const has = brief.operational.requests > 0;
  return [
    lowestSection(brief, week.lowest),
    feedbackSection(week.feedback),
    has ? failureSection(week.failures) : missing('failures', FAILURES, NO_REQUESTS),
    has ? latencySection(week.latency) : missing('latency', LATENCY, NO_REQUESTS),
  ];
}

const LOWEST = 'Lowest-scoring decompositions of the sample';
const FEEDBACK = 'What users say';
const FAILURES = 'Failed decompositions';
const LATENCY = 'Latency';

function lowestSection({ operational, sample }: Brief, lowest: readonly LowRequest[]): BriefSection {
  if (sample.sampled === 0)
    return missing('lowest', LOWEST, operational.requests === 0 ? NO_REQUESTS : NO_SAMPLE);
  const unrated = sample.rated === 0 ? '; nobody rated any, so quotes and mentions alone speak' : '';
  return {
    id: 'lowest',
    title: LOWEST,
    says: [
      `${formatAmount(sample.sampled, 'request')} sampled, ${formatCount(sample.rated)} rated${unrated}.`,
      ...(lowest.length === 0 ? ['None of them did badly in anything that is known.'] : []),
      ...lowest.map(lowWords),
    ],
    ...(lowest.length > 0 && {
      table: lowestTable(lowest),
      links: requestLinks(lowest.map(({ id }) => id)),
    }),
  };
}

function lowestTable(lowest: readonly LowRequest[]): NonNullable<BriefSection['table']> {
  return {
    kind: 'table',
    title: 'The lowest',
    folded: true,
    columns: [
      { key: 'request', title: 'request', unit: 'name' },
      { key: 'score', title: 'score', unit: 'score' },
      { key: 'topic', title: 'topic', unit: 'text' },
      { key: 'prompt', title: 'prompt', unit: 'name' },
      { key: 'why', title: 'why', unit: 'text' },
    ],
    rows: lowest.map((one) => ({
      request: one.id,
      score: one.score,
      topic: one.topic,
      prompt: one.promptVersion,
      why: whyLow(one).join(', '),
    })),
  };
}

function lowWords(one: LowRequest): string {
  const about = [one.topic, one.promptVersion].filter((part) => part !== undefined).join(', ');
  return `${one.id} ${one.score.toFixed(2)}${about === '' ? '' : ` (${about})`}: ${whyLow(one).join(', ')}`;
}

function whyLow({
  acceptable,
  note,
  stars,
  unsupportedQuotes,
  unmentioned,
  fabricated,
}: LowRequest): string[] {
  return [
    ...(acceptable === false ? [note === undefined ? 'not acceptable' : `not acceptable: ${note}`] : []),
    ...(fabricated === undefined || fabricated === 0 ? [] : [`${formatCount(fabricated)} made up`]),
    ...(stars === undefined || stars > 3 ? [] : [`${stars.toFixed(1)} of 5 stars`]),
    ...(unsupportedQuotes === undefined || unsupportedQuotes.count === 0
      ? []
      : [`${unsupportedQuotes.count} of ${unsupportedQuotes.of} quotes not in the text`]),
    ...(unmentioned === undefined || unmentioned.count === 0
      ? []
      : [`${unmentioned.count} of ${unmentioned.of} concepts not mentioned`]),
  ];
}

function feedbackSection({ now, before, patterns, items, words }: FeedbackTrend): BriefSection {
  if (now.up + now.down === 0) return missing('feedback', FEEDBACK, NO_FEEDBACK);
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
      ? ['No pattern in what is disliked: no topic, version or model stands out.']
      : []),
  ];
  const named = [...patterns, ...items].flatMap(({ examples }) => examples);
  return { id: 'feedback', title: FEEDBACK, says, links: requestLinks(named) };
}

function opinionWords({ up, down }: FeedbackCounts): string {
  return `${formatCount(up)} up and ${formatCount(down)} down (${formatRatio(down / (up + down))} disliked)`;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function failureSection({ rate, before, kinds }: FailureTrend): BriefSection {
  const was = before.measured ? `; before ${formatRatio(before.value)}` : '';
  return {
    id: 'failures',
    title: FAILURES,
    says: [
      rate.measured && rate.value > 0
        ? `${formatRatio(rate.value)} of ${formatAmount(rate.n, 'request')} failed (at most 1% is documented)${was}.`
        : `No request failed${was}.`,
    ],
    ...(kinds.length > 0 && {
      links: [
        ...requestLinks(kinds.slice(0, 4).flatMap(({ examples }) => examples.map(({ id }) => id))),
        PRODUCTION_PAGE,
      ],
      table: {
        kind: 'table',
        title: 'By kind',
        columns: [
          { key: 'error', title: 'error', unit: 'text' },
          { key: 'count', title: 'count', unit: 'count' },
          { key: 'before', title: 'before', unit: 'count' },
          { key: 'examples', title: 'examples', unit: 'text', min: 20 },
        ],
        rows: kinds.slice(0, 4).map(({ kind, count, before: earlier, examples }) => ({
          error: kind,
          count,
          before: earlier,
          examples: examples.map(({ id, at }) => `${id} (${at.slice(5, 16).replace('T', ' ')})`).join(', '),
        })),
      },
    }),
  };
}

function latencySection({ now, before, change, days, slowest }: LatencyTrend): BriefSection {
  const slow = slowest.flatMap(({ id, latencyMs, topic }) =>
    latencyMs === undefined
      ? []
      : [`${id} ${formatDuration(latencyMs)}${topic === undefined ? '' : ` (${topic})`}`],
  );
  return {
    id: 'latency',
    title: LATENCY,
    says: [
      now.p95.measured
        ? `p95 ${formatDuration(now.p95.value)} (target 3 s); ${before.p95.measured ? `before ${durationOf(before.p95)}: ${change}` : 'nothing was measured before'}.`
        : `Not measured: ${now.p95.reason}.`,
      ...(slow.length === 0 ? [] : [`slowest of the sample: ${slow.join(', ')}`]),
    ],
    links: [...requestLinks(slowest.map(({ id }) => id)), PRODUCTION_PAGE],
    table: {
      kind: 'table',
      title: 'By day',
      columns: [
        { key: 'day', title: 'day (UTC)', unit: 'day' },
        { key: 'requests', title: 'requests', unit: 'count' },
        { key: 'p50', title: 'p50', unit: 'duration-ms' },
        { key: 'p95', title: 'p95', unit: 'duration-ms' },
        { key: 'p99', title: 'p99', unit: 'duration-ms' },
      ],
      rows: days.map(({ day, requests, p50, p95, p99 }) => ({
        day,
        requests,
        p50: amountOf(p50),
        p95: amountOf(p95),
        p99: amountOf(p99),
      })),
    },
  };
}

/** Without its interval: a line of a table has room for one number. */
function amountOf(one: Measurement): number | undefined {
  return one.measured ? one.value : undefined;
}

function durationOf(one: Measurement): string {
  return one.measured ? formatDuration(one.value) : 'not measured';
}
