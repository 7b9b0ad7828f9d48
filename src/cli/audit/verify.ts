import { encodeAuditVerification } from '../../api/encode/audit.ts';
import { verifyAudit } from '../../operations/audit/verify-audit.ts';
import { auditCheckDocument } from '../../report/audit-document.ts';
import type { Command } from '../command.ts';
import { givenOf } from '../given.ts';
import { openPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { ownStore } from '../sessions/own-store.ts';
import { textOf } from '../text-of.ts';
import { AUDIT_OPTIONS } from './options.ts';

const OPTIONS = {
  head: { type: 'string', value: 'HASH', doc: 'The head that was told before: it must still be there' },
  ...AUDIT_OPTIONS,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'audit verify',
  summary: 'Is the audit log as it was written? Each entry names the one before it',
  options: OPTIONS,
  examples: ['assay audit verify', 'assay audit verify --head 3f2a…'],
  notes: ['Exit codes: 0 it is, 1 something was altered or removed, 3 could not run.'],
  run: async (args, terminal) => {
    const head = textOf(args, 'head');
    const ports = openPorts(args, terminal, ownStore);
    const told = await verifyAudit(head === undefined ? {} : { head }, ports).finally(ports.close);
    await printResult(args, terminal, {
      document: () => auditCheckDocument(told, givenOf(args, OPTIONS)),
      json: () => encodeAuditVerification(told),
    });
    return told.faults.length === 0 && told.hasAsked !== false ? 0 : 1;
  },
};
