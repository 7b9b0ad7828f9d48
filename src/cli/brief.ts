import { resolve } from 'node:path';
import { encodeBrief } from '../api/encode/brief.ts';
import { briefDocument } from '../decomposition/documents/brief-document.ts';
import { AssayError } from '../errors.ts';
import { type ReadBriefRequest, readBrief } from '../operations/production/read-brief.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION, type Terminal } from './command.ts';
import { PROMPTS_OPTION, promptsToRead } from './decomposition/prompt-options.ts';
import { ALL_OPTION, DOCUMENT_FORMAT_OPTION } from './format-options.ts';
import { givenOf } from './given.ts';
import { withPorts } from './open-ports.ts';
import { printResult } from './print-result.ts';
import { DASHBOARD_OPTION, dashboardOf } from './production/dashboard-option.ts';
import { untilOption } from './sessions/time-options.ts';
import { readSettings } from './settings.ts';
import { textOf } from './text-of.ts';

const OPTIONS = {
  week: { type: 'boolean', doc: 'One page: the lowest, what users dislike, failures, latency (default)' },
  month: {
    type: 'boolean',
    doc: 'New golden cases and canaries, a review of the old ones, metrics and satisfaction',
  },
  quarter: {
    type: 'boolean',
    doc: 'Targets, experiments, thresholds, decisions and the versions of the prompts',
  },
  until: { type: 'string', value: 'TIME', doc: 'The end of the time that is looked back at (default now)' },
  drafts: { type: 'string', value: 'DIR', doc: 'With --month: write the drafted golden cases there' },
  golden: { type: 'string', value: 'DIR', default: 'golden', doc: 'The golden cases' },
  prompts: PROMPTS_OPTION,
  dashboard: DASHBOARD_OPTION,
  format: DOCUMENT_FORMAT_OPTION,
  all: ALL_OPTION,
  ...STORE_OPTION,
  ...CONFIG_OPTION,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'brief',
  summary: 'Look back at a week, a month or a quarter of production: what to review, and what follows',
  options: OPTIONS,
  examples: [
    'assay brief --week',
    'assay brief --month --drafts golden',
    'assay brief --quarter --format html > quarter.html',
  ],
  notes: ['Exit codes: 0 there was something to look back at, 2 nothing was recorded.'],
  run: async (args, terminal) => {
    const request = await requestOf(args, terminal);
    const dashboard = dashboardOf(args, terminal);
    const brief = await withPorts(args, terminal, (ports) => readBrief(request, ports));
    await printResult(args, terminal, {
      document: () => briefDocument(brief, givenOf(args, OPTIONS), dashboard),
      json: () => encodeBrief(brief),
    });
    return brief.operational.requests === 0 ? 2 : 0;
  },
};

async function requestOf(args: Arguments, terminal: Terminal): Promise<ReadBriefRequest> {
  const kinds = (['week', 'month', 'quarter'] as const).filter((kind) => args.values[kind] === true);
  const [kind = 'week', other] = kinds;
  if (other !== undefined)
    throw new AssayError('USAGE', `--${kind} and --${other} are two briefs; ask for one`);
  const drafts = textOf(args, 'drafts');
  if (drafts !== undefined && kind !== 'month')
    throw new AssayError('USAGE', '--drafts writes the golden cases of --month');
  const { golden: rules, map, weights } = (await readSettings(args, terminal)).config.decomposition;
  return {
    kind,
    ...promptsToRead(args, terminal),
    golden: resolve(terminal.cwd, textOf(args, 'golden') ?? 'golden'),
    rules,
    map,
    weights,
    ...(drafts !== undefined && { drafts: resolve(terminal.cwd, drafts) }),
    ...(textOf(args, 'until') !== undefined && { until: new Date(untilOption(args, Date.now())) }),
  };
}
