import { encode } from '../../api/wire.ts';
import { verifyAudit } from '../../operations/audit/verify-audit.ts';
import { auditCheckView } from '../../report/server-views.ts';
import { defineCommand, STORE_OPTIONS, TABLE_FORMAT_OPTION } from '../command.ts';
import { openPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'audit verify',
  summary: 'Verify the hash chain of the audit log',
  options: {
    head: { type: 'text', value: 'HASH', doc: 'A head printed earlier, which must still be in the log' },
    format: TABLE_FORMAT_OPTION,
    ...STORE_OPTIONS,
  },
  examples: ['assay audit verify', 'assay audit verify --head 3f2a…'],
  notes: ['Exit codes: 0 intact, 1 an entry was altered or removed, 3 could not run.'],
  run: async (args, terminal) => {
    const ports = openPorts(args, terminal, 'all');
    const verification = await verifyAudit({ head: args.values.head }, ports).finally(ports.close);
    await printResult(args, terminal, {
      document: () => auditCheckView(verification, args.given),
      json: async () => encode((await import('../../api/schema/audit.ts')).auditVerification, verification),
    });
    return verification.faults.length === 0 && verification.hasAsked !== false ? 0 : 1;
  },
});
