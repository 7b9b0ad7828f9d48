import { type Action, carry, type Given } from '../../report/action.ts';
import { formatAmount, formatDuration, formatRatio, formatUsd } from '../../report/number.ts';
import { type Block, cellOf, plainValue, type View } from '../../report/view.ts';
import type { Brief } from '../production/brief/brief.ts';
import { monthSections } from './brief-month.ts';
import { quarterSections } from './brief-quarter.ts';
import { addressOf, type BriefSection, linksOf, PRODUCTION_PAGE } from './brief-section.ts';
import { weekSections } from './brief-week.ts';

const TITLES = {
  week: 'Weekly quality brief',
  month: 'Monthly expansion',
  quarter: 'Quarterly quality report',
} as const;

export function briefSections(brief: Brief): BriefSection[] {
  const { week, month, quarter } = brief;
  if (week !== undefined) return weekSections(brief, week);
  if (month !== undefined) return monthSections(brief, month);
  return quarter === undefined ? [] : quarterSections(brief, quarter);
}

/** `dashboard`: its address, for links to its pages. */
export function briefView(brief: Brief, given: Given = {}, dashboard?: string): View {
  const sections = briefSections(brief);
  return {
    title: `${TITLES[brief.kind]}, ${brief.since.slice(0, 10)} to ${brief.until.slice(0, 10)}`,
    answer: briefAnswer(brief),
    blocks: sections.flatMap((section) => [...blocksOf(section), ...linksOf(section, dashboard, given)]),
    notes: brief.operational.requests === 0 ? [] : [whereToLook(dashboard)],
    next: nextOf(brief, given),
  };
}

function whereToLook(dashboard: string | undefined): string {
  const at = ({ path }: { path: string }) =>
    dashboard === undefined ? `${path} of the dashboard` : addressOf(dashboard, { path });
  return `Look at a request by its id with assay production rate ID or at ${at({ path: '/decomposition/production/rate' })}. Figures by hour: ${at(PRODUCTION_PAGE)}.`;
}

export function plainRows({ table }: BriefSection): Record<string, string | number | null>[] {
  return (table?.rows ?? []).map((row) =>
    Object.fromEntries((table?.columns ?? []).map(({ key }) => [key, plainValue(cellOf(row, key)) ?? null])),
  );
}

function briefAnswer({ operational, sample }: Brief): string {
  const { requests, errorRate, latencyP95, costUsd } = operational;
  if (requests === 0) return 'Nothing was recorded in this time, so there is nothing to judge.';
  const parts = [
    formatAmount(requests, 'request'),
    ...(errorRate.measured ? [`${formatRatio(errorRate.value)} failed`] : []),
    ...(latencyP95.measured ? [`p95 ${formatDuration(latencyP95.value)}`] : []),
    ...(costUsd.measured ? [`${formatUsd(costUsd.value)} each`] : []),
    sample.acceptable.measured
      ? `${formatRatio(sample.acceptable.value)} of ${sample.acceptable.n} rated acceptable`
      : 'none rated',
  ];
  return `${parts.join(', ')}.`;
}

function blocksOf({ title, says, missing, table }: BriefSection): Block[] {
  return [
    { kind: 'list', title, items: missing === undefined ? [...says] : [`– ${missing}`] },
    ...(table === undefined ? [] : [table]),
  ];
}

const CARRIED = ['store', 'config', 'golden', 'prompts', 'dashboard'];

function nextOf({ kind, week, month, operational }: Brief, given: Given): Action[] {
  if (operational.requests === 0) return [{ operation: 'serve' }];
  const written = month?.candidates.find(({ path }) => path !== undefined);
  if (kind === 'month' && written === undefined && (month?.candidates.length ?? 0) > 0)
    return [{ operation: 'brief', options: { month: true, drafts: 'golden', ...carry(given, CARRIED) } }];
  if (written?.path !== undefined)
    return [
      {
        operation: 'decomposition lint',
        positionals: [String(given.drafts ?? 'golden')],
        options: carry(given, ['config']),
      },
    ];
  const [lowest] = week?.lowest ?? [];
  const look = { operation: 'production rate', options: carry(given, ['store', 'config']) };
  const looks = lowest === undefined ? [] : [{ ...look, positionals: [lowest.id] }];
  return kind === 'week'
    ? [...looks, { operation: 'brief', options: { month: true, ...carry(given, CARRIED) } }]
    : looks;
}
