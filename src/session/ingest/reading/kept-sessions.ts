/** The sessions of a file as they are handed on: as text, however many there are. */
import type { SessionFacts } from '../../evidence.ts';
import { type Portion, type Spill, SpillList, spilled, valuesOf } from './spill-list.ts';

export type KeptSessions = {
  /** The format of the first of them. */
  readonly source: string | undefined;
  readonly portions: readonly Portion[];
};

export const NO_SESSIONS: KeptSessions = { source: undefined, portions: [] };

export function factsIn({ portions }: KeptSessions): Generator<SessionFacts, void, undefined> {
  return valuesOf<SessionFacts>(portions);
}

export function keepSessions(sessions: Iterable<SessionFacts>, spill: Spill | undefined): KeptSessions {
  const list = new SpillList<SessionFacts>(spill);
  let source: string | undefined;
  for (const facts of sessions) {
    source ??= facts.source;
    list.add(facts);
  }
  return { source, portions: list.portions() };
}

/** So much text of all files together stays in memory. */
const MAX_CHARS_IN_MEMORY = 4 * 1024 * 1024;

/** Many files with one session each are as much as one file with many: beyond a limit they go to the disk, too. */
export class MemoryLimit {
  readonly spill: Spill | undefined;
  #chars = 0;

  constructor(spill: Spill | undefined) {
    this.spill = spill;
  }

  within({ source, portions }: KeptSessions): KeptSessions {
    const own = portions.reduce((sum, portion) => sum + ('json' in portion ? portion.json.length : 0), 0);
    if (this.#chars + own > MAX_CHARS_IN_MEMORY)
      return { source, portions: portions.map((portion) => spilled(portion, this.spill)) };
    this.#chars += own;
    return { source, portions };
  }
}
