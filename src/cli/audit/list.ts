import { encode } from '../../api/wire.ts';
import { listAudit } from '../../operations/audit/list-audit.ts';
import { auditView } from '../../report/server-views.ts';
import { defineCommand, isoTime, STORE_OPTIONS, TABLE_FORMAT_OPTION } from '../command.ts';
import { openPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'audit list',
  summary: 'List the audit log: who wrote, approved and deleted what, and how tokens were used',
  options: {
    since: { type: 'time', value: 'WHEN', doc: 'Only entries since then: 7d, 24h, 2w or a date' },
    until: {
      type: 'time',
      end: true,
      value: 'WHEN',
      doc: 'Only entries before then; a date includes that whole day',
    },
    timezone: { type: 'timezone', value: 'ZONE', doc: 'Time zone of dates (default: that of this machine)' },
    who: { type: 'text', value: 'NAME', doc: 'Only entries of this user or token, by label or id' },
    what: {
      type: 'text',
      value: 'TEXT',
      doc: 'Only actions that contain this text: ratings, token, store prune',
    },
    project: { type: 'text', value: 'NAME', doc: 'Only entries of this project' },
    limit: {
      type: 'number',
      min: 1,
      max: 1_000_000,
      whole: true,
      value: 'N',
      default: 50,
      doc: 'Maximum number of entries, newest first',
    },
    format: TABLE_FORMAT_OPTION,
    ...STORE_OPTIONS,
  },
  examples: ['assay audit list', 'assay audit list --since 7d --what token --format json'],
  run: async (args, terminal) => {
    const { since, until, who, what, project, limit } = args.values;
    const request = { since: isoTime(since), until: isoTime(until), who, what, project };
    const ports = openPorts(args, terminal, 'all');
    const found = await listAudit({ ...request, limit: limit + 1 }, ports).finally(ports.close);
    const entries = found.slice(0, limit);
    await printResult(args, terminal, {
      document: () => auditView(entries, found.length <= limit, args.given),
      json: async () =>
        encode((await import('../../api/schema/audit.ts')).auditList, { items: entries, next: null }),
    });
    return 0;
  },
});
