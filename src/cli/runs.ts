import { encodeEach } from '../api/wire.ts';
import { runNotes } from '../decomposition/views/run-view.ts';
import { countSessions, listRuns } from '../operations/list-runs.ts';
import { readRun } from '../operations/read-run.ts';
import { carry } from '../report/action.ts';
import { formatAmount } from '../report/number.ts';
import { runsView } from '../report/store-views.ts';
import { verdictView } from '../report/verdict-view.ts';
import type { View } from '../report/view.ts';
import {
  type Arguments,
  defineCommand,
  STORE_OPTIONS,
  TABLE_FORMAT_OPTION,
  type Terminal,
} from './command.ts';
import { openPorts, withPorts } from './open-ports.ts';
import { printResult } from './print-result.ts';
import { readSettings } from './settings.ts';

export const command = defineCommand({
  name: 'runs',
  summary: 'List the runs in the store, or show one',
  positionals: { usage: '[ID]', max: 1 },
  options: {
    format: TABLE_FORMAT_OPTION,
    all: { type: 'flag', doc: 'Show every run' },
    'all-projects': { type: 'flag', doc: 'Include runs of other folders in your store' },
    ...STORE_OPTIONS,
  },
  examples: ['assay runs', 'assay runs 3f2a --format json'],
  run: async (args, terminal) => {
    const { store } = await readSettings(args, terminal);
    const [id] = args.positionals;
    if (id !== undefined) return showRun(args, terminal, id);
    const reach = args.values['all-projects'] ? 'all' : 'folder';
    const runs = await withPorts(args, terminal, listRuns, reach);
    const document = runsView(runs, store.address, args.given);
    const hint = runs.length === 0 ? await whatElseIsStored(args, terminal) : {};
    await printResult(args, terminal, {
      document: () => ({ ...document, ...hint }),
      json: async () => encodeEach((await import('../api/schema/decomposition.ts')).runSummary, runs),
    });
    return 0;
  },
});

/** Where this folder has no runs, says what the store has: runs of other folders, or sessions. */
async function whatElseIsStored(args: Arguments, terminal: Terminal): Promise<Partial<View>> {
  const ports = openPorts(args, terminal, 'all');
  try {
    const same = carry(args.given, ['store', 'config']);
    if ((await listRuns(ports, { limit: 1 })).length > 0)
      return {
        notes: ['The store has runs of other folders.'],
        next: [{ operation: 'runs', options: { 'all-projects': true, ...same } }],
      };
    const { sessions, address } = await countSessions(ports);
    if (sessions === 0) return {};
    return {
      notes: [
        `${formatAmount(sessions, 'session')} stored in ${address}; a run is a measurement of a suite or a review.`,
      ],
      next: [{ operation: 'sessions list', options: { 'no-sync': true, ...same } }],
    };
  } finally {
    await ports.close();
  }
}

async function showRun(args: Arguments, terminal: Terminal, id: string): Promise<number> {
  const stored = await withPorts(args, terminal, (ports) => readRun({ id }, ports), 'all');
  const next = { operation: 'runs', options: carry(args.given, ['store', 'config']) };
  await printResult(args, terminal, {
    document: () => verdictView(stored.verdict, [next]),
    json: async () =>
      (await import('../api/stored-run.ts')).encodeStoredRun(stored, stored.suite && runNotes(stored.suite)),
  });
  return 0;
}
