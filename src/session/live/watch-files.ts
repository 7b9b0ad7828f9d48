/**
 * Tells when files change that are there or come to be. Events of the file system make it quick where there are any;
 * looking again and again finds what they leave out (a network folder, a folder that was not there, a queue that ran over).
 */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { stampOf } from './followed-file.ts';

export type WatchOptions = {
  /** All current files; called often. */
  readonly list: () => readonly string[];
  /** Folders in which new files may appear, in addition to those of the files. */
  readonly folders: readonly string[];
  /** These files or their companions changed, appeared or disappeared. */
  readonly onChange: (paths: readonly string[]) => void;
  /** Milliseconds between two looks at all files, at least. */
  readonly everyMs?: number;
  /** The number of folders to watch by events; the others are polled. */
  readonly mostFolders?: number;
};

/** Looking takes at most this share of the time, however many files there are. */
const SHARE = 0.02;
/** While something happens that only a look explains. */
const MOST_SHARE = 0.1;
const EVERY_MS = 2000;
/** However long a look takes on a busy machine, the next one comes by then, unless that were most of the time. */
const LATEST_MS = 10_000;
/** What changed a while ago is likely to change again: where there are no events, these few are looked at in between. */
const LIVELY_MS = 600_000;
const MOST_LIVELY = 200;
/** What an agent writes in one go comes as many events. */
const TOGETHER_MS = 100;
/** Systems allow so many folders to be watched; the others are looked at. */
const MOST_FOLDERS = 2000;

export class FileWatch {
  readonly #options: WatchOptions;
  readonly #stamps = new Map<string, string>();
  readonly #byFolder = new Map<string, Set<string>>();
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  /** Files that changed lately, and when. */
  readonly #lively = new Map<string, number>();
  #isStopped = false;
  #lookedAt = 0;
  #lookTook = 0;
  #looks: NodeJS.Timeout | undefined;
  #glances: NodeJS.Timeout | undefined;
  #tells: NodeJS.Timeout | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Starts from the current state and reports every later change. */
  start(): void {
    this.#look(false);
    this.#glances = setInterval(() => this.#glance(), this.#options.everyMs ?? EVERY_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#looks);
    clearInterval(this.#glances);
    clearTimeout(this.#tells);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #look(isTold: boolean): void {
    const start = performance.now();
    const files = new Set(this.#options.list());
    for (const path of files) {
      const stamp = stampNow(path);
      if (stamp === this.#stamps.get(path)) continue;
      this.#stamps.set(path, stamp);
      this.#learn(path);
      if (isTold) this.#note(path);
    }
    for (const path of this.#stamps.keys()) {
      if (files.has(path)) continue;
      this.#stamps.delete(path);
      this.#byFolder.get(dirname(path))?.delete(path);
      this.#changed.add(path);
    }
    for (const folder of [...this.#options.folders, ...this.#byFolder.keys()]) this.#watch(folder);
    if (this.#changed.size > 0) this.#tellSoon();
    this.#lookedAt = performance.now();
    this.#lookTook = this.#lookedAt - start;
    const latest = Math.max(LATEST_MS, this.#lookTook / MOST_SHARE);
    const rest = Math.min(this.#lookTook / SHARE, latest);
    this.#lookAgainIn(Math.max(this.#options.everyMs ?? EVERY_MS, rest));
  }

  #glance(): void {
    const now = performance.now();
    // A copy, because changed files move to the end.
    for (const [path, changedAt] of [...this.#lively]) {
      if (now - changedAt > LIVELY_MS || !this.#stamps.has(path)) this.#lively.delete(path);
      else if (stampNow(path) !== this.#stamps.get(path)) this.#note(path);
    }
    if (this.#changed.size > 0) this.#tellSoon();
  }

  #note(path: string): void {
    this.#changed.add(path);
    this.#lively.delete(path);
    this.#lively.set(path, performance.now());
    const [oldest] = this.#lively.keys();
    if (this.#lively.size > MOST_LIVELY && oldest !== undefined) this.#lively.delete(oldest);
  }

  #lookAgainIn(ms: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#looks);
    this.#looks = setTimeout(() => this.#look(true), ms);
  }

  #learn(path: string): void {
    const folder = dirname(path);
    const known = this.#byFolder.get(folder) ?? new Set();
    this.#byFolder.set(folder, known.add(path));
  }

  #watch(folder: string): void {
    if (this.#watchers.has(folder) || this.#watchers.size >= (this.#options.mostFolders ?? MOST_FOLDERS))
      return;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => this.#hear(folder, name));
      watcher.on('error', () => this.#unwatch(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // It is not there yet, or there are too many: it is looked at.
    }
  }

  /** A folder that went may come again under the same name. */
  #unwatch(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  /** An unlisted file may be a companion of a listed one, or new. */
  #hear(folder: string, name: string | null): void {
    const path = name === null ? undefined : join(folder, name);
    if (path !== undefined && this.#stamps.has(path)) this.#note(path);
    else {
      for (const neighbour of this.#byFolder.get(folder) ?? []) this.#changed.add(neighbour);
      const since = performance.now() - this.#lookedAt;
      this.#lookAgainIn(Math.max(TOGETHER_MS, this.#lookTook / MOST_SHARE - since));
    }
    if (this.#changed.size > 0) this.#tellSoon();
  }

  #tellSoon(): void {
    if (this.#tells !== undefined || this.#isStopped) return;
    this.#tells = setTimeout(() => {
      this.#tells = undefined;
      const paths = [...this.#changed];
      this.#changed.clear();
      for (const path of paths) if (this.#stamps.has(path)) this.#stamps.set(path, stampNow(path));
      this.#options.onChange(paths);
    }, TOGETHER_MS);
  }
}

function stampNow(path: string): string {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? '' : stampOf(stats);
  } catch {
    return '';
  }
}
