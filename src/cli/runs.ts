import { encodeRunSummary } from '../api/encode/run-summary.ts';
import { encodeStoredRun } from '../api/encode/stored-run.ts';
import { runNotes } from '../decomposition/documents/run-notes.ts';
import { countSessions, listRuns } from '../operations/list-runs.ts';
import { readRun } from '../operations/read-run.ts';
import { carry } from '../report/action.ts';
import type { Document } from '../report/document.ts';
import { formatAmount } from '../report/number.ts';
import { runsDocument } from '../report/runs-document.ts';
import { verdictDocument } from '../report/verdict-document.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION, type Terminal } from './command.ts';
import { givenOf } from './given.ts';
import { openPorts, withPorts } from './open-ports.ts';
import { printResult } from './print-result.ts';
import { ownStore } from './sessions/own-store.ts';
import { readSettings } from './settings.ts';

const OPTIONS = {
  format: { type: 'string', choices: ['table', 'json'], default: 'table', doc: 'How to print them' },
  all: { type: 'boolean', doc: 'Show every run' },
  ...STORE_OPTION,
  ...CONFIG_OPTION,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'runs',
  summary: 'List the runs in the store, or show one',
  positionals: { usage: '[ID]', max: 1 },
  options: OPTIONS,
  examples: ['assay runs', 'assay runs 3f2a --format json'],
  run: async (args, terminal) => {
    const { store } = await readSettings(args, terminal);
    const [id] = args.positionals;
    if (id !== undefined) return showRun(args, terminal, id);
    const runs = await withPorts(args, terminal, listRuns);
    const document = runsDocument(runs, store.address, givenOf(args, OPTIONS));
    const kept = runs.length === 0 ? await keptSessions(args, terminal) : {};
    await printResult(args, terminal, {
      document: () => ({ ...document, ...kept }),
      json: () => runs.map(encodeRunSummary),
    });
    return 0;
  },
};

/** Sessions are no runs, but whoever has scored some looks for them here. */
async function keptSessions(args: Arguments, terminal: Terminal): Promise<Partial<Document>> {
  const ports = openPorts(args, terminal, ownStore);
  const { sessions, address } = await countSessions(ports).finally(ports.close);
  if (sessions === 0) return {};
  const given = givenOf(args, OPTIONS);
  const options = { 'from-store': true, ...carry(given, ['store', 'config']) };
  return {
    notes: [
      `${formatAmount(sessions, 'session')} kept in ${address}; a run is a measurement of a suite or a review.`,
    ],
    next: [{ operation: 'sessions list', options }],
  };
}

async function showRun(args: Arguments, terminal: Terminal, id: string): Promise<number> {
  const stored = await withPorts(args, terminal, (ports) => readRun({ id }, ports));
  const next = { operation: 'runs', options: carry(givenOf(args, OPTIONS), ['store', 'config']) };
  await printResult(args, terminal, {
    document: () => verdictDocument(stored.verdict, [next]),
    json: () => encodeStoredRun(stored, stored.suite && runNotes(stored.suite)),
  });
  return 0;
}
