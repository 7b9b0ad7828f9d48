import { encodeAudit } from '../../api/encode/audit.ts';
import { AssayError } from '../../errors.ts';
import { type ListAuditRequest, listAudit } from '../../operations/audit/list-audit.ts';
import { auditDocument } from '../../report/audit-document.ts';
import type { Arguments, Command } from '../command.ts';
import { givenOf } from '../given.ts';
import { openPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { ownStore } from '../sessions/own-store.ts';
import { beforeOption, sinceOption } from '../sessions/time-options.ts';
import { textOf } from '../text-of.ts';
import { AUDIT_OPTIONS } from './options.ts';

const OPTIONS = {
  since: { type: 'string', value: 'WHEN', doc: 'Only what was done from then on: 7d, 24h, 2w or a date' },
  until: {
    type: 'string',
    value: 'WHEN',
    doc: 'Only what was done before then; a date means all of its day',
  },
  timezone: { type: 'string', value: 'ZONE', doc: 'Time zone of dates (default: that of this machine)' },
  who: { type: 'string', value: 'NAME', doc: 'Only what this person or token did: its label or its id' },
  what: { type: 'string', value: 'TEXT', doc: 'Only what has this in it: ratings, token, store prune' },
  project: { type: 'string', value: 'NAME', doc: 'Only what was done in this project' },
  limit: { type: 'string', value: 'N', default: '50', doc: 'So many, the newest' },
  ...AUDIT_OPTIONS,
} as const satisfies Command['options'];

const MOST = 1_000_000;

export const command: Command = {
  name: 'audit list',
  summary: 'Who wrote, approved and deleted what, and how tokens were made, used, refused and revoked',
  options: OPTIONS,
  examples: ['assay audit list', 'assay audit list --since 7d --what token --format json'],
  run: async (args, terminal) => {
    const limit = Number(textOf(args, 'limit'));
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
      throw new AssayError('USAGE', `--limit is a whole number from 1 to ${MOST}`);
    const ports = openPorts(args, terminal, ownStore);
    const found = await listAudit({ ...requestIn(args), limit: limit + 1 }, ports).finally(ports.close);
    const entries = found.slice(0, limit);
    await printResult(args, terminal, {
      document: () => auditDocument(entries, found.length <= limit, givenOf(args, OPTIONS)),
      json: () => encodeAudit(entries),
    });
    return 0;
  },
};

function requestIn(args: Arguments): ListAuditRequest {
  const [since, until] = [sinceOption(args, Date.now()), beforeOption(args, Date.now())];
  const named = ['who', 'what', 'project'].flatMap((name) => {
    const text = textOf(args, name);
    return text === undefined ? [] : [[name, text] as const];
  });
  return {
    ...Object.fromEntries(named),
    ...(since !== undefined && { since: new Date(since).toISOString() }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
  };
}
