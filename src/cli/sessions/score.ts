import type { SessionKeeper } from '../../pipeline.ts';
import type { Store } from '../../store/store.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION, type Terminal } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION, printDocument } from '../print-report.ts';
import { drained } from './drained.ts';
import { eachSession, loadSessions, type Scored } from './load.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { SessionRows } from './session-rows.ts';

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
    const keeping = new Keeping(args, terminal);
    try {
      const { format } = args.values;
      const count =
        format === 'csv' || format === 'jsonl' || format === 'json'
          ? await printRows(args, terminal, keeping, format)
          : await printPage(args, terminal, keeping);
      // Nothing scored is never a success.
      return count === 0 ? 2 : 0;
    } finally {
      await keeping.close();
    }
  },
};

/** Machines get all rows, a few at a time: there may be more than fit in memory. */
async function printRows(
  args: Arguments,
  terminal: Terminal,
  keeping: Keeping,
  format: 'csv' | 'jsonl' | 'json',
): Promise<number> {
  const rows = new SessionRows();
  await eachSession(args, terminal, async ({ session, facts, file }) => {
    await keeping.keep({ session, facts, file });
    rows.add({ session, facts, file });
  });
  await keeping.finish();
  for (const text of rows.print(format)) {
    terminal.print(text);
    await drained(process.stdout);
  }
  return rows.count;
}

/** A page has room for every session; a terminal shows the overview. */
async function printPage(args: Arguments, terminal: Terminal, keeping: Keeping): Promise<number> {
  const { format } = args.values;
  const rows = format === 'table' ? undefined : new SessionRows();
  const loaded = await loadSessions(args, terminal, {
    each: (one) => {
      rows?.add(one);
      return keeping.keep(one);
    },
  });
  await keeping.finish();
  const { overviewDocument } = await import('./overview.ts');
  const table = rows?.table();
  await printDocument(args, terminal, undefined, () => {
    const document = overviewDocument(loaded);
    if (table === undefined || loaded.sessions.length === 0) return document;
    return { ...document, blocks: [...document.blocks, { ...table, folded: true }] };
  });
  return loaded.sessions.length;
}

/** Puts scores and facts into the store, unless the person does not want it. The store is opened with the first. */
class Keeping {
  readonly #args: Arguments;
  readonly #terminal: Terminal;
  #store: Store | undefined;
  #keeper: SessionKeeper | undefined;

  constructor(args: Arguments, terminal: Terminal) {
    this.#args = args;
    this.#terminal = terminal;
  }

  async keep(one: Scored): Promise<void> {
    const { values } = this.#args;
    if (values['no-store'] === true || values['from-store'] === true) return;
    await (this.#keeper ?? (await this.#open())).keep(one);
  }

  async finish(): Promise<void> {
    await this.#keeper?.finish();
  }

  async close(): Promise<void> {
    await this.#store?.close();
  }

  async #open(): Promise<SessionKeeper> {
    // Not before they are needed: settings bring the checker of configurations with them.
    const { readSettings } = await import('../settings.ts');
    const { openStore } = await import('../../store/open.ts');
    const { SessionKeeper } = await import('../../pipeline.ts');
    const { store: place } = await readSettings(this.#args, this.#terminal);
    this.#store = await openStore(place.address);
    this.#keeper = new SessionKeeper(this.#store, new Date().toISOString());
    return this.#keeper;
  }
}
