/**
 * Sessions of a file that has too many to keep them all open. Each is put aside as text once; what is said in it later
 * is written behind, and told when the file has ended, so that every event is handled a fixed number of times however
 * the sessions take turns.
 */
import type { Event } from '../../event.ts';
import { startFold, step, withoutText } from '../../fold/fold.ts';
import type { FoldState } from '../../fold/state.ts';
import { hashKey } from '../copies/entry-keys.ts';
import { type Spill, SpillList, valuesOf } from './spill-list.ts';

type Parked = readonly [session: string, fold: FoldState];
type Later = readonly [session: string, event: Event];

/** So many sessions that went on, and so much text of them, are in memory at a time. */
const SHARE_SESSIONS = 2000;
const SHARE_CHARS = 4 * 1024 * 1024;
/** Shares are filled side by side: each holds little back. */
const SHARE_PORTION_CHARS = 16 * 1024;
const MAX_SHARES = 512;

export class ParkedSessions {
  readonly #source: string;
  readonly #spill: Spill | undefined;
  readonly #folds: SpillList<Parked>;
  readonly #later: SpillList<Later>;
  /** Hashes of their names, and of those that went on. */
  readonly #hashes = new Set<number>();
  readonly #again = new Set<number>();

  constructor(source: string, spill: Spill | undefined) {
    this.#source = source;
    this.#spill = spill;
    this.#folds = new SpillList(spill);
    this.#later = new SpillList(spill);
  }

  get count(): number {
    return this.#folds.count;
  }

  /** Whether anything was said in one of them since. */
  get wentOn(): boolean {
    return this.#later.count > 0;
  }

  has(session: string): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(hashKey(session));
  }

  park(session: string, fold: FoldState): void {
    this.#hashes.add(hashKey(session));
    this.#folds.add([session, withoutText(fold)]);
  }

  goOn(session: string, event: Event): void {
    this.#again.add(hashKey(session));
    this.#later.add([session, event]);
  }

  /** As far as they went, in the order in which they were put aside; those that went on last if they are very many. */
  *folds(): Generator<Parked> {
    const all = this.#folds.portions();
    const shares = this.#shareCount();
    if (shares === 1) {
      const open = this.#goneOn(this.#wentOnIn(this.#folds), this.#later);
      for (const [session, fold] of valuesOf<Parked>(all)) {
        yield [session, open.get(session) ?? fold];
        open.delete(session);
      }
      yield* open;
      return;
    }
    for (const parked of valuesOf<Parked>(all)) if (!this.#again.has(hashKey(parked[0]))) yield parked;
    const later = this.#shared(valuesOf<Later>(this.#later.portions()), shares);
    for (const [i, share] of this.#shared(this.#wentOnIn(this.#folds), shares).entries())
      yield* this.#goneOn(valuesOf<Parked>(share.portions()), later[i]);
  }

  *#wentOnIn(list: SpillList<Parked>): Generator<Parked> {
    if (!this.wentOn) return;
    for (const parked of valuesOf<Parked>(list.portions()))
      if (this.#again.has(hashKey(parked[0]))) yield parked;
  }

  #goneOn(parked: Iterable<Parked>, later: SpillList<Later> | undefined): Map<string, FoldState> {
    const open = new Map(parked);
    for (const [session, event] of valuesOf<Later>(later?.portions() ?? [])) {
      const fold = open.get(session) ?? startFold(this.#source);
      // One that was never put aside: its name has the hash of another.
      if (!open.has(session)) open.set(session, fold);
      step(fold, event);
    }
    return open;
  }

  #shareCount(): number {
    const count = Math.max(this.#again.size / SHARE_SESSIONS, this.#later.chars / SHARE_CHARS, 1);
    return Math.min(MAX_SHARES, Math.ceil(count));
  }

  /** All of a session is in one share. */
  #shared<Value extends Parked | Later>(values: Iterable<Value>, count: number): SpillList<Value>[] {
    const shares = Array.from(
      { length: count },
      () => new SpillList<Value>(this.#spill, SHARE_PORTION_CHARS),
    );
    for (const value of values) shares[hashKey(value[0]) % count]?.add(value);
    return shares;
  }
}
