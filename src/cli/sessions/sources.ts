import { encode } from '../../api/wire.ts';
import { listSources } from '../../operations/session/list-sources.ts';
import { sourceTable, sourceView } from '../../session/views/sources.ts';
import { ALL_OPTION, defineCommand, FORMAT_OPTION } from '../command.ts';
import { listWith, printResult } from '../print-result.ts';
import { machineOf } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions sources',
  summary: 'List where Assay looks for sessions on this machine, what is there, and what it can show',
  options: { format: FORMAT_OPTION, all: ALL_OPTION },
  examples: ['assay sessions sources'],
  run: async (args, terminal) => {
    const listed = listSources(machineOf(terminal));
    await printResult(args, terminal, {
      ...listWith(
        async () => encode((await import('../../api/schema/session-lists.ts')).sessionSources, listed),
        'sources',
        sourceTable(listed),
      ),
      document: () => sourceView(listed),
    });
    return 0;
  },
});
