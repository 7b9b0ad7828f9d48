import { resolve } from 'node:path';
import { encode } from '../api/wire.ts';
import { briefView } from '../decomposition/views/brief-view.ts';
import { AssayError } from '../errors.ts';
import { type ReadBriefRequest, readBrief } from '../operations/production/read-brief.ts';
import {
  ALL_OPTION,
  type Arguments,
  DOCUMENT_FORMAT_OPTION,
  defineCommand,
  type Options,
  STORE_OPTIONS,
  type Terminal,
} from './command.ts';
import { PROMPTS_OPTION, promptsToRead } from './decomposition/prompt-options.ts';
import { withPorts } from './open-ports.ts';
import { printResult } from './print-result.ts';
import { DASHBOARD_OPTION, dashboardOf } from './production/dashboard-option.ts';
import { readSettings } from './settings.ts';

const OPTIONS = {
  week: { type: 'flag', doc: 'One page: the lowest, what users dislike, failures, latency (default)' },
  month: {
    type: 'flag',
    doc: 'New golden cases and canaries, a review of the old ones, metrics and satisfaction',
  },
  quarter: {
    type: 'flag',
    doc: 'Targets, experiments, thresholds, decisions and the versions of the prompts',
  },
  until: {
    type: 'time',
    end: true,
    value: 'TIME',
    doc: 'End of the period (default now)',
  },
  drafts: { type: 'path', value: 'DIR', doc: 'With --month: folder for the drafted golden cases' },
  golden: { type: 'path', value: 'DIR', default: 'golden', doc: 'The golden cases' },
  prompts: PROMPTS_OPTION,
  dashboard: DASHBOARD_OPTION,
  format: DOCUMENT_FORMAT_OPTION,
  all: ALL_OPTION,
  ...STORE_OPTIONS,
} as const satisfies Options;

type BriefArguments = Arguments<typeof OPTIONS>;

export const command = defineCommand({
  name: 'brief',
  summary: 'Summarise a week, a month or a quarter of production: what to review, and what to do',
  options: OPTIONS,
  examples: [
    'assay brief --week',
    'assay brief --month --drafts golden',
    'assay brief --quarter --format html > quarter.html',
  ],
  notes: ['Exit codes: 0 there were requests in the period, 2 nothing was recorded.'],
  run: async (args, terminal) => {
    const request = await requestOf(args, terminal);
    const dashboard = dashboardOf(args, terminal);
    const brief = await withPorts(args, terminal, (ports) => readBrief(request, ports), 'project');
    await printResult(args, terminal, {
      document: () => briefView(brief, args.given, dashboard),
      json: async () => encode((await import('../api/schema/brief.ts')).brief, brief),
    });
    return brief.operational.requests === 0 ? 2 : 0;
  },
});

async function requestOf(args: BriefArguments, terminal: Terminal): Promise<ReadBriefRequest> {
  const { drafts, golden, until } = args.values;
  const [kind = 'week', other] = (['week', 'month', 'quarter'] as const).filter((one) => args.values[one]);
  if (other !== undefined)
    throw new AssayError('USAGE', `--${kind} and --${other} are two briefs; give one of them`);
  if (drafts !== undefined && kind !== 'month') throw new AssayError('USAGE', '--drafts needs --month');
  const { golden: rules, map, weights } = (await readSettings(args, terminal)).config.decomposition;
  return {
    kind,
    ...promptsToRead(args, terminal),
    golden: resolve(terminal.cwd, golden),
    rules,
    map,
    weights,
    ...(drafts !== undefined && { drafts: resolve(terminal.cwd, drafts) }),
    ...(until !== undefined && { until: new Date(until) }),
  };
}
