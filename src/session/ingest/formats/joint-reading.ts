/**
 * Sessions whose records are in several files. While there is little of them, all of the files are read as if they were
 * one. Of more only what several files share is read together, some of it at a time, so that never more than `MAX_WEIGHT`
 * is kept; a session that is larger than that is read file after file, with what is remembered of it handed on.
 *
 * Lines of another file than the one that owns the session are counted on from the end of that one (`FilePart`).
 */
import type { FilePart } from '../../evidence.ts';
import type { CopyWeighing, Emit, Joint, LoadedFormat } from './format.ts';
import { SharedGroups } from './shared-groups.ts';

export const MAX_WEIGHT = 32 * 1024 * 1024;

export type Gathered<Value> = readonly (readonly [line: number, value: Value, at: number])[];

/** One of the things in a record that may belong to a session elsewhere. */
export type JointItem<Value> = {
  readonly line: number;
  readonly value: Value;
  /** Traces, conversations, sessions: those with the same are read together. */
  readonly keys: readonly string[];
  /** To which of them it goes, where it tells nothing of a session itself. */
  readonly with?: string | undefined;
  readonly at: number | undefined;
  readonly weight: number;
  /** A session is of the file where its leading items are. */
  readonly leads: boolean;
};

export type ReadTogether<Value> = {
  /** `before`: how many items of the file have come. */
  itemsOf(record: unknown, line: number, before: number): readonly JointItem<Value>[];
  feed(state: unknown, placed: Gathered<Value>, emit: Emit): void;
  /** Tells what waits for more, before another file goes on with it. */
  flush?(state: unknown, emit: Emit): void;
  /** What only the others have. */
  elsewhere(own: Gathered<Value>, others: readonly Gathered<Value>[]): Gathered<Value>;
};

export function readJointly<Value>(
  format: LoadedFormat,
  joinable: ReadTogether<Value>,
  most = MAX_WEIGHT,
): CopyWeighing {
  const reading = new JointReading(format, joinable, most);
  return {
    look: (path) => reading.look(path),
    // All of them are read anew.
    lostBy: () => [format.name],
    hasOwn: (path) => reading.hasOwn(path),
    rest: (path) => reading.rest(path),
    inOrder: (paths) => reading.inOrder(paths),
    joints: () => reading.joints(),
  };
}

const APART = -1;

class JointReading<Value> {
  readonly #format: LoadedFormat;
  readonly #silent: LoadedFormat;
  readonly #joinable: ReadTogether<Value>;
  readonly #most: number;
  readonly #groups = new SharedGroups();
  readonly #paths: string[] = [];
  readonly #lines = new Map<string, number>();
  readonly #began = new Map<string, number>();
  #weight = 0;
  #leader: number | undefined;
  #planned: { readonly owner: number; readonly files: readonly number[] }[] | undefined;
  #shared: unknown;
  #left = 0;

  constructor(format: LoadedFormat, joinable: ReadTogether<Value>, most: number) {
    const { entryKeys: _keys, ...silent } = format;
    this.#format = format;
    this.#silent = { ...silent, step: () => undefined, finish: () => {} };
    this.#joinable = joinable;
    this.#most = most;
  }

  look(path: string): LoadedFormat {
    const file = this.#paths.push(path) - 1;
    return this.#through((item) => {
      this.#weight += item.weight;
      if (item.leads) this.#leader = Math.min(this.#leader ?? file, file);
      this.#lines.set(path, Math.max(this.#lines.get(path) ?? 0, item.line));
      if (item.at !== undefined) this.#began.set(path, Math.min(this.#began.get(path) ?? item.at, item.at));
      this.#groups.add(item, file);
    });
  }

  hasOwn(path: string): boolean {
    return !this.#isLittle || path === this.#paths[this.#leader ?? 0];
  }

  /** Earlier ones first, so that what goes on in another file is met in order. */
  inOrder(paths: readonly string[]): string[] {
    const began = (path: string) => this.#began.get(path) ?? Number.POSITIVE_INFINITY;
    const ordered = paths.toSorted((a, b) => began(a) - began(b) || (a < b ? -1 : 1));
    this.#left = ordered.length;
    return ordered;
  }

  /** What is in this file alone, and what is too much to be read with the others at once. */
  rest(_path: string): LoadedFormat {
    if (this.#isLittle) return this.#silent;
    return {
      ...this.#through((item, state, emit) => {
        if (this.#jointOf(item) !== APART) return;
        this.#joinable.feed(state, [[item.line, item.value, item.at ?? 0]], emit);
      }),
      start: (file) => {
        this.#shared ??= this.#format.start(file);
        return this.#shared;
      },
      finish: (state, line, emit) => {
        this.#left -= 1;
        if (this.#left > 0) this.#joinable.flush?.(state, emit);
        else this.#format.finish?.(state, line, emit);
      },
    };
  }

  joints(): Joint[] {
    return this.#plan().map(({ owner, files }, index) => {
      const gathered = new Map<string, (readonly [number, Value, number])[]>();
      const gather = (into: (readonly [number, Value, number])[], after: number): LoadedFormat =>
        this.#through((item) => {
          if (this.#jointOf(item) === index) into.push([item.line + after, item.value, item.at ?? 0]);
        });
      const path = this.#paths[owner] ?? '';
      const parts = this.#partsOf(path, files);
      return {
        owner: path,
        parts,
        gather: ({ path: other, after }) => {
          const into: (readonly [number, Value, number])[] = [];
          gathered.set(other, into);
          return gather(into, after);
        },
        tell: () => {
          const own: (readonly [number, Value, number])[] = [];
          return {
            ...gather(own, 0),
            finish: (state, line, emit) => {
              const others = this.#joinable.elsewhere(own, [...gathered.values()]);
              // What belongs together comes together: more may come than can wait.
              const all = [...others, ...own].sort((a, b) => a[2] - b[2]);
              this.#joinable.feed(state, all, emit);
              this.#format.finish?.(state, line, emit);
            },
          };
        },
      };
    });
  }

  #partsOf(owner: string, files: readonly number[]): FilePart[] {
    let after = this.#lines.get(owner) ?? 0;
    return files.flatMap((file) => {
      const path = this.#paths[file] ?? '';
      if (path === owner) return [];
      const part = { path, after };
      after += this.#lines.get(path) ?? 0;
      return [part];
    });
  }

  get #isLittle(): boolean {
    return this.#weight <= this.#most;
  }

  #plan() {
    this.#planned ??= this.#isLittle
      ? [{ owner: this.#leader ?? 0, files: this.#paths.map((_path, file) => file) }]
      : this.#groups.pack(this.#most);
    return this.#planned;
  }

  #jointOf(item: JointItem<Value>): number {
    this.#plan();
    return this.#isLittle ? 0 : (this.#groups.packOf(item) ?? APART);
  }

  /** The format as it goes through a file, item by item. */
  #through(take: (item: JointItem<Value>, state: unknown, emit: Emit) => void): LoadedFormat {
    let before = 0;
    return {
      ...this.#silent,
      step: (state, record, line, emit) => {
        const items = this.#joinable.itemsOf(record, line, before);
        before += items.length;
        for (const item of items) take(item, state, emit);
        return undefined;
      },
    };
  }
}
