/**
 * Parses the output of `git log -p`, line by line, merges included: which lines were added to which file, and which
 * removed.
 */
import { hashLine } from '../fold/line-fingerprints.ts';
import { type GitOptions, GitProblem, gitParts, PLAIN_LOG } from './git.ts';
import type { LineEvent, LineEvents } from './history.ts';
import { COMMITTED_WITHIN_MS, SLACK_MS } from './lines-in-history.ts';
import type { Repository } from './repository.ts';
import type { Alias, WantedFile } from './wanted-files.ts';

/** `line` from offset `from` is the line of the file. */
type TakeLine = (path: string, line: string, from: number, came: boolean) => void;

export class PatchReader {
  readonly #take: TakeLine;
  #before = '';
  #path = '';
  /** The number of parents that a line is compared with; 0 outside of a hunk. */
  #parents = 0;

  constructor(take: TakeLine) {
    this.#take = take;
  }

  take(line: string): void {
    if (line.startsWith('diff ')) this.#parents = 0;
    else if (line.startsWith('@@')) this.#parents = marksOf(line) - 1;
    else if (this.#parents === 0) this.#readHead(line);
    else if (isMarked(line, '+', this.#parents)) this.#take(this.#path, line, this.#parents, true);
    else if (isMarked(line, '-', this.#parents)) this.#take(this.#path, line, this.#parents, false);
  }

  #readHead(line: string): void {
    if (line.startsWith('--- ')) this.#before = nameIn(line);
    else if (line.startsWith('+++ ')) {
      const name = nameIn(line);
      this.#path = name === '' ? this.#before : name;
    }
  }
}

function marksOf(line: string): number {
  let marks = 0;
  while (line[marks] === '@') marks += 1;
  return marks;
}

/** Requires the mark for every parent: a line that one of them had is not new. */
function isMarked(line: string, mark: string, parents: number): boolean {
  for (let i = 0; i < parents; i += 1) if (line[i] !== mark) return false;
  return true;
}

/** Empty for no file. */
function nameIn(line: string): string {
  const name = line.slice(4).replace(/\t$/, '');
  if (name === '/dev/null') return '';
  return (name.startsWith('"') ? unquoted(name) : name).slice(2);
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' };

function unquoted(name: string): string {
  return name.slice(1, -1).replace(/\\(.)/g, (whole, char: string) => ESCAPED[char] ?? whole);
}

// A line that a commit moves from one file to another is not rewritten.

/** Moves are looked up in this many commits that removed lines; in older ones the lines count as removed. */
const MAX_COMMITS = 500;

/** Line events without moves to another file. */
export async function withoutMoves(git: GitOptions, events: LineEvents): Promise<LineEvents> {
  const went = [...events.values()]
    .flatMap((lines) => [...lines.values()].flat())
    .filter(({ came }) => !came);
  const commits = [...new Map(went.map(({ commit }) => [commit.sha, commit])).values()];
  const latest = commits.sort((a, b) => b.at - a.at).slice(0, MAX_COMMITS);
  if (latest.length === 0) return events;
  const wanted = new Set(went.map(({ anywhere }) => anywhere));
  const put = new Set<string>();
  let sha = '';
  const patches = new PatchReader((_path, line, from, came) => {
    const hash = came ? hashLine(line, 0, from)?.hash : undefined;
    if (hash !== undefined && wanted.has(hash)) put.add(`${sha} ${hash}`);
  });
  const args = ['log', '--stdin', '--no-walk', '--first-parent', '-m', '-p', '-U0', ...PLAIN_LOG];
  await gitParts(git, [...args, '--format=%x01%H'], {
    input: latest.map((commit) => `${commit.sha}\n`).join(''),
    separator: '\n',
    onPart: (line) => {
      if (line.startsWith('\u0001')) sha = line.slice(1).trim();
      else patches.take(line);
    },
  });
  const isMove = ({ commit, came, anywhere }: LineEvent): boolean =>
    !came && put.has(`${commit.sha} ${anywhere}`);
  const stayed = (lines: ReadonlyMap<number, readonly LineEvent[]>) =>
    new Map([...lines].map(([hash, list]) => [hash, list.filter((event) => !isMove(event))]));
  return new Map([...events].map(([file, lines]) => [file, stayed(lines)]));
}

// Files renamed before their first commit, so that the history shows no rename: they are found by content.

/** What a session wrote into a file, and when. */
export type LostFile = WantedFile & {
  /** In the folder that the session worked in. */
  readonly inside: boolean;
  readonly wrote: readonly number[];
  readonly since: number;
  readonly until: number;
};

/** The search goes through everything added to the repository, so its time and its number of files are bounded. */
const TIME_MS = 10_000;
const MAX_FILES = 100;
/**
 * The least share of the written lines (git requires the same of a rename), and the least number of distinctive lines.
 */
const LEAST_SHARE = 0.5;
const LEAST_EVIDENCE = 2;

/** For each file found, the path under which it was added. Empty when time runs out. */
export async function findRenamed(
  git: GitOptions,
  { tips }: Repository,
  files: readonly LostFile[],
): Promise<Alias[]> {
  const lost = files.slice(0, MAX_FILES).map((file) => ({ file, lines: new Set(file.wrote) }));
  if (lost.length === 0) return [];
  const bySalt = Map.groupBy(lost, ({ file }) => file.salt);
  const found = new Map<LostFile, Map<string, Match>>();
  let at = 0;
  const patches = new PatchReader((path, line, from) => {
    for (const [salt, list] of bySalt) {
      const hashed = hashLine(line, salt, from);
      if (hashed === undefined) continue;
      for (const { file, lines } of list)
        if (lines.has(hashed.hash) && isInTime(file, at))
          noteMatch(found, file, path, hashed.hash, hashed.weight);
    }
  });
  const from = Math.min(...lost.map(({ file }) => file.since)) - SLACK_MS;
  const until = Math.max(...lost.map(({ file }) => file.until)) + COMMITTED_WITHIN_MS;
  const between = [`--since=${new Date(from).toISOString()}`, `--until=${new Date(until).toISOString()}`];
  const args = ['log', '--stdin', '-p', '-U0', ...PLAIN_LOG, '--no-renames', '--diff-filter=A', ...between];
  try {
    await gitParts(
      { ...git, deadline: Math.min(git.deadline, performance.now() + TIME_MS) },
      [...args, '--format=%x01%ct'],
      {
        input: tips.join('\n'),
        separator: '\n',
        onPart: (line) => {
          if (line.startsWith('\u0001')) at = Number(line.slice(1)) * 1000;
          else patches.take(line);
        },
      },
    );
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    return [];
  }
  return [...found].flatMap(([file, paths]) => bestOf(file, paths));
}

type Match = { readonly lines: Set<number>; weight: number };

function isInTime({ since, until }: LostFile, at: number): boolean {
  return at >= since - SLACK_MS && at <= until + COMMITTED_WITHIN_MS;
}

function noteMatch(
  found: Map<LostFile, Map<string, Match>>,
  file: LostFile,
  path: string,
  hash: number,
  weight: number,
): void {
  const paths = found.get(file) ?? new Map<string, Match>();
  const match = paths.get(path) ?? { lines: new Set(), weight: 0 };
  found.set(file, paths.set(path, match));
  if (match.lines.has(hash)) return;
  match.lines.add(hash);
  match.weight += weight;
}

function bestOf(file: LostFile, paths: ReadonlyMap<string, Match>): Alias[] {
  const enough = [...paths].filter(
    ([, { lines, weight }]) => lines.size >= LEAST_SHARE * file.wrote.length && weight >= LEAST_EVIDENCE,
  );
  const [best] = enough.sort(([, a], [, b]) => b.lines.size - a.lines.size);
  return best === undefined ? [] : [{ file, path: best[0] }];
}
