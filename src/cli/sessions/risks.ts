import { encode } from '../../api/wire.ts';
import { listRisks } from '../../operations/session/list-risks.ts';
import { RISKS_SHOWN, risksView, riskTable } from '../../session/views/risks.ts';
import { ALL_OPTION, defineCommand, FORMAT_OPTION } from '../command.ts';
import { listWith, printResult } from '../print-result.ts';
import { look } from './ask.ts';
import { LOOKING_OPTIONS, PATHS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions risks',
  summary: 'Risky actions of agents: discarded work, deleted files, weakened tests, skipped hooks',
  positionals: PATHS,
  options: {
    'no-titles': { type: 'flag', doc: 'Do not read transcripts for quotes' },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    ...LOOKING_OPTIONS,
  },
  examples: ['assay sessions risks --since 7d', 'assay sessions risks --format csv > risks.csv'],
  run: async (args, terminal) => {
    const titles = args.values['no-titles'] ? undefined : { environment: terminal.env };
    const limit = args.values.format === 'table' && !args.values.all ? RISKS_SHOWN : 100_000;
    const list = await look(args, terminal, (request, ports) =>
      listRisks({ ...request, titles, limit }, ports),
    );
    await printResult(args, terminal, {
      ...listWith(
        async () => encode((await import('../../api/schema/session-lists.ts')).sessionRisks, list),
        'risks',
        riskTable(list),
      ),
      document: () => risksView(list, sessionsGiven(args)),
    });
    return list.sessions === 0 ? 2 : 0;
  },
});
