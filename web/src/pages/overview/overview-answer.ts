/** The first line of the overview: what needs attention, and how the sessions went. */
import { formatAmount, formatCents, formatScore } from '../../../../src/report/number.ts';
import type { Overview } from '../../api/shapes.ts';

/** `bold` is the decisive part; the rest is its basis. */
export type Answer = readonly { readonly text: string; readonly bold?: boolean }[];

export function isUnmeasured({ sessions, decomposition, workflow }: Overview): boolean {
  return sessions.stored === 0 && decomposition.runs.length === 0 && workflow.runs.length === 0;
}

export function overviewAnswer(overview: Overview): Answer {
  if (isUnmeasured(overview))
    return [
      { text: 'Nothing is measured yet', bold: true },
      { text: ': each card names the command to begin with.' },
    ];
  return [{ text: needs(overview), bold: true }, ...quality(overview), { text: '.' }];
}

/** Two alerts are open, one run did not pass and three sessions need attention. */
function needs({ attention, sessions }: Overview): string {
  const { alerts, runs } = attention;
  const parts = [
    { n: alerts.length, text: formatAmount(alerts.length, 'alert'), one: 'is open', many: 'are open' },
    { n: runs.length, text: formatAmount(runs.length, 'run'), one: 'did not pass', many: 'did not pass' },
    {
      n: sessions.attention_in_all,
      text: formatAmount(sessions.attention_in_all, 'session'),
      one: 'needs attention',
      many: 'need attention',
    },
  ].flatMap(({ n, text, one, many }) => (n === 0 ? [] : [`${text} ${n === 1 ? one : many}`]));
  const last = parts.pop();
  if (last === undefined) return 'Nothing needs attention';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

function quality({ sessions: { current, previous } }: Overview): Answer {
  if (current.n === 0) return [];
  const { q, cost } = current;
  const of = formatAmount(current.n, 'session');
  if (q === null) return [{ text: `; the Q of ${of} is unmeasured` }];
  const median = formatScore(q.median);
  return [
    { text: `; ${of} with median Q ` },
    { text: median, bold: true },
    ...(previous.q === null ? [] : [{ text: ` (${against(median, formatScore(previous.q.median))})` }]),
    ...(cost === null
      ? []
      : [{ text: `, for ${cost.is_lower_bound ? 'at least ' : ''}${formatCents(cost.total_usd)}` }]),
  ];
}

/** As it is written: what rounds to the same is the same. */
function against(now: string, then: string): string {
  if (now === then) return 'as the week before';
  return `${Number(now) > Number(then) ? 'up' : 'down'} from ${then}`;
}
