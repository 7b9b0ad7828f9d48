import { encodeSources } from '../../api/encode/session-lists.ts';
import { listSources } from '../../operations/session/list-sources.ts';
import { sourceDocument, sourceTable } from '../../session/documents/sources.ts';
import type { Command } from '../command.ts';
import { FORMAT_OPTION } from '../format-options.ts';
import { listWith, printResult } from '../print-result.ts';
import { machineOf } from './session-request.ts';

export const command: Command = {
  name: 'sessions sources',
  summary: 'Where Assay looks for the sessions of the agents on this machine, and what is there',
  options: { format: FORMAT_OPTION },
  examples: ['assay sessions sources'],
  run: async (args, terminal) => {
    const sources = listSources(machineOf(terminal));
    await printResult(args, terminal, {
      ...listWith(encodeSources(sources), 'sources', sourceTable(sources)),
      document: () => sourceDocument(sources),
    });
    return 0;
  },
};
