import { encodeSessionList } from '../../api/encode/session-list.ts';
import { LIST_GROUPS, listSessions } from '../../operations/session/list-sessions.ts';
import { listGroupTable, listTable, sessionListDocument } from '../../session/documents/session-list.ts';
import type { ListGroup, ListSort } from '../../session/results.ts';
import type { Command } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION } from '../format-options.ts';
import { listWith, printResult } from '../print-result.ts';
import { textOf } from '../text-of.ts';
import { look } from './ask.ts';
import { limitOf } from './list-limit.ts';
import { LOOKING_OPTIONS } from './looking-options.ts';
import { PATHS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command: Command = {
  name: 'sessions list',
  summary: 'Your sessions, one line each: when, where, what was asked, how good, for how much, and why',
  positionals: PATHS,
  options: {
    sort: {
      type: 'string',
      choices: ['date', 'q', 'cost', 'turns'],
      default: 'date',
      doc: 'Newest, lowest Q, dearest or longest first',
    },
    by: {
      type: 'string',
      choices: LIST_GROUPS,
      doc: 'What they come to by this; a block is five hours, as subscriptions count them',
    },
    limit: { type: 'string', value: 'N', doc: 'List so many; with --by so many of each group' },
    'no-titles': { type: 'boolean', doc: 'Do not read transcripts again to say what was asked' },
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
    'What was asked is read from the transcripts when it is printed, with keys masked; it is never stored.',
  ],
  run: async (args, terminal) => {
    const by = textOf(args, 'by') as ListGroup | undefined;
    const limit = limitOf(args, by);
    const titles = args.values['no-titles'] === true ? undefined : { environment: terminal.env };
    const sort = args.values.sort as ListSort;
    const list = await look(args, terminal, (request, ports) =>
      listSessions({ ...request, sort, by, limit, titles }, ports),
    );
    const wire = encodeSessionList(list);
    const short = args.values.format === 'table' && args.values.all !== true;
    await printResult(args, terminal, {
      ...(by === undefined
        ? listWith(wire, 'sessions', listTable(list))
        : listWith(wire, 'groups', listGroupTable(list))),
      document: () => sessionListDocument(list, { ...sessionsGiven(args, command.options), short }),
    });
    return list.total.sessions === 0 ? 2 : 0;
  },
};
