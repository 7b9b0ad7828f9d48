import { encode } from '../../api/wire.ts';
import { listAudit } from '../../operations/audit/list-audit.ts';
import { auditView } from '../../report/server-views.ts';
import { defineCommand, isoTime, STORE_OPTIONS, TABLE_FORMAT_OPTION } from '../command.ts';
import { openPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'audit list',
  summary: 'Who wrote, approved and deleted what, and how tokens were made, used, refused and revoked',
  options: {
    since: { type: 'time', value: 'WHEN', doc: 'Only what was done from then on: 7d, 24h, 2w or a date' },
    until: {
      type: 'time',
      end: true,
      value: 'WHEN',
      doc: 'Only what was done before then; a date means all of its day',
    },
    timezone: { type: 'timezone', value: 'ZONE', doc: 'Time zone of dates (default: that of this machine)' },
    who: { type: 'text', value: 'NAME', doc: 'Only what this person or token did: its label or its id' },
    what: { type: 'text', value: 'TEXT', doc: 'Only what has this in it: ratings, token, store prune' },
    project: { type: 'text', value: 'NAME', doc: 'Only what was done in this project' },
    limit: {
      type: 'number',
      min: 1,
      max: 1_000_000,
      whole: true,
      value: 'N',
      default: 50,
      doc: 'So many, the newest',
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
