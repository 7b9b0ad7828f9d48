import { encode } from '../../api/wire.ts';
import { measureRoi, ROI_GROUPS } from '../../operations/session/measure-roi.ts';
import type { SessionGroup } from '../../session/session-groups.ts';
import { roiTable, roiView } from '../../session/views/roi.ts';
import { ALL_OPTION, defineCommand, FORMAT_OPTION } from '../command.ts';
import { listWith, printResult } from '../print-result.ts';
import { look } from './ask.ts';
import { LOOKING_OPTIONS, PATHS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions roi',
  summary: 'Quality per dollar by model, agent, task type or day',
  positionals: PATHS,
  options: {
    by: {
      type: 'choice',
      choices: ROI_GROUPS,
      default: 'model',
      doc: 'What to group by, per task type',
    },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    ...LOOKING_OPTIONS,
  },
  examples: ['assay sessions roi', 'assay sessions roi --by day --since 4w --format csv'],
  run: async (args, terminal) => {
    const by = args.values.by as SessionGroup;
    const roi = await look(args, terminal, (request, ports) => measureRoi({ ...request, by }, ports));
    await printResult(args, terminal, {
      ...listWith(
        async () => encode((await import('../../api/schema/session-lists.ts')).sessionRoi, roi),
        'groups',
        roiTable(roi),
      ),
      document: () => roiView(roi, sessionsGiven(args)),
    });
    return roi.groups.length === 0 ? 2 : 0;
  },
});
