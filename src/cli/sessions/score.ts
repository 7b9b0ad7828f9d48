import { keepSessions } from '../../pipeline.ts';
import type { Document, TableBlock } from '../../report/document.ts';
import { rollup } from '../../session/rollup.ts';
import { openStore } from '../../store/open.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION, type Terminal } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION, printTable } from '../print-report.ts';
import { SESSION_COLUMNS, sessionCells } from './columns.ts';
import { type LoadedSessions, loadSessions } from './load.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { overviewDocument } from './overview.ts';

export const command: Command = {
  name: 'sessions score',
  summary: 'Score agent sessions: what they did, how well, for how much',
  positionals: PATHS,
  options: {
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    'no-store': { type: 'boolean', doc: 'Do not keep the scores and facts' },
    ...SCORING_OPTIONS,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay sessions score',
    'assay sessions score ~/.claude/projects --since 7d --format csv > scores.csv',
    'zcat old.jsonl.gz | assay sessions score - --format jsonl',
  ],
  run: async (args, terminal) => {
    const loaded = await loadSessions(args, terminal);
    if (args.values['no-store'] !== true && args.values['from-store'] !== true)
      await keep(loaded, args, terminal);
    await printTable(args, terminal, sessionTable(loaded), () => pageOf(loaded, args.values.format));
    // Nothing scored is never a success.
    return loaded.sessions.length === 0 ? 2 : 0;
  },
};

async function keep({ sessions }: LoadedSessions, args: Arguments, terminal: Terminal): Promise<void> {
  if (sessions.length === 0) return;
  // Not before it is needed: settings bring the checker of configurations with them.
  const { readSettings } = await import('../settings.ts');
  const { store: place } = await readSettings(args, terminal);
  const store = await openStore(place.address);
  try {
    await keepSessions(sessions, store, new Date().toISOString());
  } finally {
    await store.close();
  }
}

/** A page has room for every session; a terminal shows the overview. */
function pageOf(loaded: LoadedSessions, format: unknown): Document {
  const document = overviewDocument(loaded);
  if (format === 'table' || loaded.sessions.length === 0) return document;
  return { ...document, blocks: [...document.blocks, { ...sessionTable(loaded), folded: true }] };
}

/** In the order of files, then of the sessions in them. */
export function sessionTable({ sessions }: LoadedSessions): TableBlock {
  const rollups = rollup(sessions.map(({ session }) => session));
  return {
    kind: 'table',
    title: 'All sessions',
    columns: SESSION_COLUMNS,
    rows: sessions.map((one) => sessionCells(one, rollups.get(one.session.sessionId))),
  };
}
