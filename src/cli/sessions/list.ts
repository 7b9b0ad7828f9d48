import { encode } from '../../api/wire.ts';
import { LIST_GROUPS, listSessions } from '../../operations/session/list-sessions.ts';
import type { ListGroup } from '../../session/session-groups.ts';
import {
  LISTED_SHOWN,
  listGroupTable,
  listTable,
  sessionListView,
} from '../../session/views/session-list.ts';
import { ALL_OPTION, defineCommand, FORMAT_OPTION } from '../command.ts';
import { listWith, printResult } from '../print-result.ts';
import { look } from './ask.ts';
import { LOOKING_OPTIONS, PATHS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions list',
  summary: 'List your sessions: time, project, request, Q, cost and the reason for the score',
  positionals: PATHS,
  options: {
    sort: {
      type: 'choice',
      choices: ['date', 'q', 'cost', 'turns'],
      default: 'date',
      doc: 'Newest, lowest Q, most expensive or longest first',
    },
    by: {
      type: 'choice',
      choices: LIST_GROUPS,
      doc: 'Totals by this; a block is five hours, as in subscription limits',
    },
    limit: {
      type: 'number',
      min: 1,
      whole: true,
      value: 'N',
      doc: 'Maximum number of sessions; with --by per group',
    },
    'no-titles': { type: 'flag', doc: 'Do not read transcripts for the requests' },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    ...LOOKING_OPTIONS,
  },
  examples: [
    'assay sessions list',
    'assay sessions list --sort cost --since 7d',
    'assay sessions list --by project --limit 5',
    'assay sessions list --by month --format csv > months.csv',
  ],
  notes: [
    'Requests are read from the transcripts when they are printed, with keys masked, and are never stored.',
  ],
  run: async (args, terminal) => {
    const { sort, by, format, all } = args.values;
    const limit = args.values.limit ?? (all ? undefined : limitOf(by, format));
    const titles = args.values['no-titles'] ? undefined : { environment: terminal.env };
    const list = await look(args, terminal, (request, ports) =>
      listSessions({ ...request, sort, by, limit, titles }, ports),
    );
    const wire = encode((await import('../../api/schema/session-list.ts')).sessionList, list);
    const short = format === 'table' && !all;
    await printResult(args, terminal, {
      ...(by === undefined
        ? listWith(async () => wire, 'sessions', listTable(list))
        : listWith(async () => wire, 'groups', listGroupTable(list))),
      document: () => sessionListView(list, { ...sessionsGiven(args), short }),
    });
    return list.total.sessions === 0 ? 2 : 0;
  },
});

/** The terminal shows some, and no sessions of groups unless requested; every other format has them all. */
function limitOf(by: ListGroup | undefined, format: string): number | undefined {
  if (by !== undefined) return 0;
  return format === 'table' ? LISTED_SHOWN : undefined;
}
