import type { TableBlock } from '../../report/document.ts';
import { formatCount } from '../../report/number.ts';
import { findSources } from '../../session/ingest/files/find-sources.ts';
import type { Command } from '../command.ts';
import { homeOf } from '../home.ts';
import { FORMAT_OPTION, printTable } from '../print-report.ts';

export const command: Command = {
  name: 'sessions sources',
  summary: 'Where Assay looks for the sessions of the agents on this machine, and what is there',
  options: { format: FORMAT_OPTION },
  examples: ['assay sessions sources'],
  run: async (args, terminal) => {
    const sources = findSources(homeOf(terminal), terminal.env);
    const table: TableBlock = {
      kind: 'table',
      title: 'Places',
      columns: [
        { key: 'agent', header: 'agent', style: 'text' },
        { key: 'place', header: 'place', style: 'name' },
        { key: 'files', header: 'files', style: 'count' },
      ],
      rows: sources.map(({ agent, place, exists, files }) => ({
        agent,
        place,
        files: exists ? files.length : undefined,
      })),
    };
    const found = sources.reduce((sum, { files }) => sum + files.length, 0);
    await printTable(args, terminal, table, () => ({
      title: 'Sources',
      answer: `${formatCount(found)} transcripts found. Links that lead out of these places are not followed.`,
      blocks: [table],
      notes: ['– means that the place does not exist.'],
      next: found === 0 ? ['assay sessions score PATH'] : ['assay sessions score'],
    }));
    return 0;
  },
};
