import { encode, encodeEach } from '../api/wire.ts';
import { AssayError } from '../errors.ts';
import { defaultPorts } from '../operations/default-ports.ts';
import { listExampleSessions, scoreExampleReviews } from '../operations/measure-examples.ts';
import { listTable, sessionListView } from '../session/views/session-list.ts';
import { scoreView } from '../workflow/views/score.ts';
import { scoreRows, scoreTable } from '../workflow/views/score-metrics.ts';
import type { Terminal } from './command.ts';
import { listWith, type PrintArguments, type Printable, printResult } from './print-result.ts';
import { machineOf } from './sessions/session-request.ts';

/** The examples of the other instruments; nothing is stored. */
export async function printOther(which: string, args: PrintArguments, terminal: Terminal): Promise<number> {
  const result = await resultOf(which, terminal);
  if (args.values.format === 'junit')
    throw new AssayError('USAGE', `the example of ${which} has no junit report`);
  await printResult(args, terminal, result);
  return 0;
}

async function resultOf(which: string, terminal: Terminal): Promise<Printable> {
  const ports = defaultPorts();
  try {
    if (which === 'workflow') {
      const scored = await scoreExampleReviews(ports);
      return {
        jsonl: async () =>
          encodeEach((await import('../api/schema/workflow.ts')).scoreRow, scoreRows(scored.summary)),
        csv: () => scoreTable(scored.summary),
        json: async () => encode((await import('../api/schema/workflow.ts')).scoredReviews, scored),
        document: () => ({ ...scoreView(scored), next: [{ operation: 'workflow lint --help' }] }),
      };
    }
    if (which !== 'sessions' && which !== 'session')
      throw new AssayError(
        'USAGE',
        `there is no example "${which}", only decomposition, workflow, sessions and production`,
      );
    const list = await listExampleSessions(machineOf(terminal), ports);
    return {
      ...listWith(
        async () => encode((await import('../api/schema/session-list.ts')).sessionList, list),
        'sessions',
        listTable(list),
      ),
      document: () => ({ ...sessionListView(list), next: [{ operation: 'sessions sources' }] }),
    };
  } finally {
    await ports.close();
  }
}
