import { AssayError } from '../errors.ts';
import type { Document } from '../report/document.ts';
import { renderTerminal } from '../report/terminal.ts';
import { openStore, storeExists } from '../store/open.ts';
import type { RunSummary } from '../store/store.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from './command.ts';
import { readSettings } from './settings.ts';

export const command: Command = {
  name: 'runs',
  summary: 'List the runs in the store, or show one',
  positionals: { usage: '[ID]', max: 1 },
  options: {
    format: { type: 'string', choices: ['table', 'json'], default: 'table', doc: 'How to print them' },
    all: { type: 'boolean', doc: 'Show every run' },
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay runs', 'assay runs 3f2a --format json'],
  run: async (args, terminal) => {
    const { store: place } = await readSettings(args, terminal);
    // Looking must not make a store where there is none.
    const [id] = args.positionals;
    if (!storeExists(place.address)) {
      if (id !== undefined) findRun([], id);
      terminal.print(renderTerminal(listing([], place.address), terminal));
      return 0;
    }
    const store = await openStore(place.address);
    try {
      const runs = await store.listRuns();
      if (id !== undefined) {
        const run = await store.readRun(findRun(runs, id).runId);
        terminal.print(`${JSON.stringify(run, null, 2)}\n`);
      } else if (args.values.format === 'json') terminal.print(`${JSON.stringify(runs, null, 2)}\n`);
      else
        terminal.print(
          renderTerminal(listing(runs, place.address), { ...terminal, all: args.values.all === true }),
        );
      return 0;
    } finally {
      await store.close();
    }
  },
};

/** The beginning of an id is enough while it is unique. */
function findRun(runs: readonly RunSummary[], id: string): RunSummary {
  const matching = runs.filter((run) => run.runId.startsWith(id));
  const [run] = matching;
  if (run !== undefined && (matching.length === 1 || run.runId === id)) return run;
  const why = run === undefined ? 'no run starts with' : `${matching.length} runs start with`;
  throw new AssayError('USAGE', `${why} "${id}"`, { remedy: 'assay runs lists them.' });
}

function listing(runs: readonly RunSummary[], address: string): Document {
  return {
    title: 'Runs',
    answer:
      runs.length === 0
        ? `No runs in ${address} yet.`
        : `${runs.length === 1 ? '1 run' : `${runs.length} runs`} in ${address}, newest first.`,
    blocks:
      runs.length === 0
        ? []
        : [
            {
              kind: 'table',
              title: 'Runs',
              limit: 10,
              columns: [
                { key: 'id', header: 'id', style: 'text' },
                { key: 'at', header: 'measured (UTC)', style: 'text' },
                { key: 'subject', header: 'subject', style: 'text' },
                { key: 'cases', header: 'cases', style: 'count' },
                { key: 'verdict', header: 'verdict', style: 'text' },
              ],
              rows: runs.map(({ runId, at, instrument, subject, caseCount, verdict }) => ({
                id: runId.slice(0, 8),
                at: at.slice(0, 16).replace('T', ' '),
                subject: `${instrument}: ${subject}`,
                cases: caseCount,
                verdict,
              })),
            },
          ],
    notes: [],
    next: [runs.length === 0 ? 'assay example' : 'assay runs ID'],
  };
}
