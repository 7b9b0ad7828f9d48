/**
 * Rows of sessions that several servers were sent, so that it does not matter which of them wrote a row: it names no folder of a
 * machine, and is dated by what it rests on. Its date is when the latest part of its files was received, and a millisecond more
 * for each of their lines: whoever knows less of a session writes an earlier row, whatever their clock says.
 */
import { join, sep } from 'node:path';
import type { SessionFacts } from '../../session/evidence.ts';
import type { LiveFile } from '../../session/live/live-transcripts.ts';
import type { Grown } from '../../session/live/replica.ts';
import type { FullSession } from '../../session/stored-session.ts';

const PREFIX = 'spool:';
/** What is in which of these files is nobody's concern: a conversation may be in several. */
const ONE_PLACE = /^spool:(?:of\/[0-9a-f]+\/)?otlp\/[^/]+/;

/** Where this server has its copy of a file that all of them know by this name; as it is, where it is no such name. */
export function replicaPath(folder: string, name: string): string {
  if (!name.startsWith(PREFIX)) return name;
  const path = join(folder, name.slice(PREFIX.length));
  // Names come from a store that others write to, too.
  return path.startsWith(`${folder}${sep}`) ? path : name;
}

export class ReplicaRows {
  readonly #folder: string;
  readonly #received = new Map<string, number>();

  constructor({ folder, received }: { readonly folder: string; readonly received: readonly Grown[] }) {
    this.#folder = `${folder}/`;
    this.hear(received);
  }

  hear(files: readonly Grown[]): void {
    for (const { path, receivedAt } of files) this.#received.set(path, receivedAt);
  }

  /** When the latest part of a file came to the store; undefined for one that was not sent. */
  receivedAt(path: string): number | undefined {
    return this.#received.get(path);
  }

  /** Under the names that all servers have for them. */
  named(files: readonly LiveFile[]): LiveFile[] {
    return files.map((file) => {
      const path = this.#nameOf(file.path);
      if (path === file.path) return file;
      const [place] = ONE_PLACE.exec(path) ?? [];
      return { ...file, path, reading: { ...file.reading, path, ...(place !== undefined && { place }) } };
    });
  }

  /**
   * A session that was sent is known by where it was sent to. Its first entry tells nothing of it as long as parts of it are on
   * their way to this server: read without its beginning it would be another session, and stay one beside the whole.
   */
  keyed(facts: SessionFacts, name: string): SessionFacts {
    if (!name.startsWith(PREFIX) || facts.origin === undefined) return facts;
    const { origin: _, ...others } = facts;
    return others;
  }

  pathOf(name: string): string {
    return name.startsWith(PREFIX) ? this.#folder + name.slice(PREFIX.length) : name;
  }

  /** Pointers into other files, too. */
  stored({ facts, ...one }: FullSession): FullSession {
    const { files, runs } = facts;
    const named = {
      ...facts,
      runs: runs.map((run) => (run.file === undefined ? run : { ...run, file: this.#nameOf(run.file) })),
      ...(files !== undefined && {
        files: files.map((part) => ({ ...part, path: this.#nameOf(part.path) })),
      }),
    };
    return { ...one, facts: named };
  }

  /** Path → the date of its rows, given which of these files belong together. */
  dates(files: readonly LiveFile[], groupOf: (path: string) => number): ReadonlyMap<string, string> {
    const dates = new Map<string, string>();
    for (const group of Map.groupBy(files, ({ path }) => groupOf(path)).values()) {
      const sent = group.filter(({ path }) => path.startsWith(this.#folder));
      if (sent.length === 0) continue;
      // A file may be seen before it is said when it was received. Dated by a clock, its row would stay above all that know more.
      const received = Math.max(...sent.map(({ path }) => this.#received.get(path) ?? 0));
      const lines = sent.reduce((sum, { reading }) => sum + reading.lines, 0);
      const date = new Date(received + lines).toISOString();
      for (const { path } of group) dates.set(path, date);
    }
    return dates;
  }

  #nameOf(path: string): string {
    return path.startsWith(this.#folder) ? PREFIX + path.slice(this.#folder.length) : path;
  }
}
