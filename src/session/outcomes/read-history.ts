/** Reads from a repository what sessions are compared with: commits, renames, and the lines added and removed. */
import { commonEnd, hashLine, isBelow, pathEnds, subjectHash } from '../fold/line-fingerprints.ts';
import { readAttributions } from './choose-commits.ts';
import { type GitOptions, GitProblem, gitBytes, gitParts, gitText, PLAIN_LOG } from './git.ts';
import { type Commit, type History, isNamedIn, type LineEvent } from './history.ts';
import { findRenamed, type LostFile, PatchReader, withoutMoves } from './read-patches.ts';
import type { Repository } from './repository.ts';
import { FileNames, type FileSalts, type WantedFiles } from './wanted-files.ts';

/** What to look for, from the sessions of a repository. */
export type Wanted = {
  /** The earliest time at which any of them wrote. */
  readonly since: number;
  readonly files: readonly LostFile[];
  readonly hashes: ReadonlySet<number>;
  readonly sessionIds: ReadonlySet<string>;
  /** False: notes and trailers are ignored. */
  readonly attributions: boolean;
};

/** Work on branches may be older than the session that continues it. */
const BEFORE_MS = 30 * 86_400_000;

export async function readHistory(git: GitOptions, repository: Repository, wanted: Wanted): Promise<History> {
  const since = wanted.since - BEFORE_MS;
  const { commits, names, merged } = await readCommits(git, repository, since);
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const weights = new Map<number, number>();
  const read = (files: WantedFiles, args: readonly string[], tips: readonly string[]) =>
    readLines(git, { args, tips, since, files, wanted: wanted.hashes, bySha, weights });
  // For a merge, only what no parent has: the resolved conflicts.
  const onAll = (files: WantedFiles) => read(files, ['-c'], repository.tips);
  const named = names.wantedFiles(wanted.files);
  const isIgnored = await ignoredFiles(git, wanted.files, named);
  const namedLines = await onAll(named);
  const lost = wanted.files.filter((file) => isLost(file, named, namedLines) && !isIgnored(file.ends));
  const aliases = await findRenamed(git, repository, lost);
  const files = aliases.length === 0 ? named : names.wantedFiles(wanted.files, aliases);
  const { defaultTips } = repository;
  return {
    repository: repository.place,
    defaultBranch: repository.defaultBranch,
    head: defaultTips[0] ?? '',
    until: latest(commits),
    commits,
    ...(await readDefault(git, repository, since, bySha)),
    attributions: wanted.attributions
      ? await readAttributions(git, repository, since, wanted.sessionIds)
      : new Map(),
    settled: new Map([...merged].map(([sha, paths]) => [sha, files.idsOf(paths)])),
    fileOf: (ends) => files.idOf(ends),
    isIgnored,
    base: await readBase(git, defaultTips, since, files, wanted.hashes),
    lines: files === named ? namedLines : await onAll(files),
    mainLines: await withoutMoves(git, await read(files, FIRST_PARENT, defaultTips)),
    weights,
  };
}

/** The session wrote lines in its own folder, and no commit has any of them under the name that it used. */
function isLost({ ends, inside, wrote }: LostFile, files: WantedFiles, lines: History['lines']): boolean {
  const id = files.idOf(ends);
  const known = id === undefined ? undefined : lines.get(id);
  return inside && wrote.length > 0 && !wrote.some((hash) => known?.has(hash));
}

const FIRST_PARENT = ['--first-parent', '-m'];

const sinceOption = (since: number): string => `--since=${new Date(since).toISOString()}`;

const latest = (commits: readonly Commit[]): number =>
  commits.reduce((most, { at }) => Math.max(most, at), 0);

const FIELDS = '--format=%x01%H%x00%at%x00%ct%x00%P%x00%s%x00';

async function readCommits(
  git: GitOptions,
  { tips }: Repository,
  since: number,
): Promise<{ commits: Commit[]; names: FileNames; merged: Map<string, string[]> }> {
  const commits: Commit[] = [];
  const merged = new Map<string, string[]>();
  const names = new FileNames();
  let head: string[] | undefined;
  let change: string[] = [];
  await gitParts(
    git,
    ['log', '--stdin', '-z', '-c', '--name-status', ...PLAIN_LOG, sinceOption(since), FIELDS],
    {
      input: tips.join('\n'),
      separator: '\0',
      onPart: (part) => {
        const text = part.startsWith('\n') ? part.slice(1) : part;
        if (text.startsWith('\u0001')) {
          head = [text.slice(1)];
          change = [];
        } else if (head !== undefined && head.length < 5) {
          head.push(text);
          if (head.length === 5) commits.push(commitOf(head));
        } else if (text !== '') {
          change.push(text);
          if (change.length === partsOf(change[0] as string)) {
            names.note(change);
            noteMerged(merged, commits.at(-1), change);
            change = [];
          }
        }
      },
    },
  );
  return { commits: commits.sort((a, b) => a.at - b.at), names, merged };
}

function noteMerged(
  merged: Map<string, string[]>,
  commit: Commit | undefined,
  change: readonly string[],
): void {
  if (commit === undefined || commit.parents < 2) return;
  const paths = merged.get(commit.sha) ?? [];
  merged.set(commit.sha, paths);
  paths.push(change.at(-1) ?? '');
}

/** Runs only when a written file is in no commit. */
async function ignoredFiles(
  git: GitOptions,
  written: readonly LostFile[],
  files: WantedFiles,
): Promise<History['isIgnored']> {
  const unknown = written.filter(({ ends }) => files.idOf(ends) === undefined);
  const ignored =
    unknown.length === 0 ? [] : await readIgnored(git, new Set(unknown.map(({ ends: [name] }) => name)));
  const submodules = unknown.length === 0 ? [] : await readSubmodules(git);
  return (ends) =>
    ignored.some((one) => commonEnd(one, ends) > 0) || submodules.some((folder) => isBelow(ends, folder));
}

/** A status is followed by one path, or by the old and the new one. */
function partsOf(status: string): number {
  return /^[RC]\d*$/.test(status) ? 3 : 2;
}

function commitOf([sha = '', authored = '', at = '', parents = '', subject = '']: readonly string[]): Commit {
  return {
    sha,
    authoredAt: Number(authored) * 1000,
    at: Number(at) * 1000,
    parents: parents === '' ? 0 : parents.split(' ').length,
    subject: subjectHash(subject),
  };
}

type LinesAsked = {
  readonly args: readonly string[];
  readonly tips: readonly string[];
  readonly since: number;
  readonly files: WantedFiles;
  readonly wanted: ReadonlySet<number>;
  readonly bySha: ReadonlyMap<string, Commit>;
  readonly weights: Map<number, number>;
};

async function readLines(git: GitOptions, asked: LinesAsked): Promise<Map<number, Map<number, LineEvent[]>>> {
  const { args, tips, since, files, wanted, bySha, weights } = asked;
  const found = new Map<number, Map<number, LineEvent[]>>();
  if (files.paths.length === 0 || tips.length === 0) return found;
  let commit: Commit | undefined;
  const seen = new Set<string>();
  const patches = new PatchReader((path, line, from, came) => {
    const file = commit === undefined ? undefined : files.of(path);
    if (file === undefined) return;
    for (const salt of file.salts) {
      const hashed = hashLine(line, salt, from);
      if (hashed === undefined || !wanted.has(hashed.hash)) continue;
      weights.set(hashed.hash, hashed.weight);
      const once = `${file.id} ${hashed.hash} ${came}`;
      if (seen.has(once)) continue;
      seen.add(once);
      const anywhere = hashLine(line, 0, from)?.hash ?? 0;
      listOf(found, file.id, hashed.hash).push({ commit: commit as Commit, came, anywhere });
    }
  });
  await gitParts(
    git,
    ['log', '--stdin', '-p', '-U0', ...args, ...PLAIN_LOG, sinceOption(since), '--format=%x01%H'],
    {
      input: [...tips, '--', ...files.paths, ''].join('\n'),
      separator: '\n',
      onPart: (line) => {
        if (!line.startsWith('\u0001')) return patches.take(line);
        commit = bySha.get(line.slice(1).trim());
        seen.clear();
      },
    },
  );
  for (const lines of found.values())
    for (const events of lines.values()) events.sort((a, b) => a.commit.at - b.commit.at);
  return found;
}

function listOf<Value>(lists: Map<number, Map<number, Value[]>>, file: number, hash: number): Value[] {
  const lines = lists.get(file) ?? new Map<number, Value[]>();
  const list = lines.get(hash) ?? [];
  lists.set(file, lines.set(hash, list));
  return list;
}

/** The files on the default branch at the start of the history. */
async function readBase(
  git: GitOptions,
  tips: readonly string[],
  since: number,
  files: WantedFiles,
  wanted: ReadonlySet<number>,
): Promise<Map<number, Set<number>>> {
  const base = new Map<number, Set<number>>();
  const before = `--before=${new Date(since).toISOString()}`;
  const [sha] = (await gitText(git, ['rev-list', '-1', '--first-parent', before, ...tips])).split('\n');
  if (!sha) return base;
  const { paths } = files;
  const bytes = await gitBytes(git, ['cat-file', '--batch'], {
    input: paths.map((path) => `${sha}:${path}\n`).join(''),
    most: 256 * 1024 * 1024,
  });
  let at = 0;
  for (const path of paths) {
    const lineEnd = bytes.indexOf(0x0a, at);
    if (lineEnd < 0) break;
    const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(bytes.toString('utf8', at, lineEnd)) ?? [];
    at = lineEnd + 1;
    if (size === undefined) continue;
    const file = type === 'blob' ? files.of(path) : undefined;
    if (file !== undefined) noteBase(base, file, bytes.toString('utf8', at, at + Number(size)), wanted);
    at += Number(size) + 1;
  }
  return base;
}

function noteBase(
  base: Map<number, Set<number>>,
  { id, salts }: FileSalts,
  text: string,
  wanted: ReadonlySet<number>,
): void {
  const lines = base.get(id) ?? new Set();
  base.set(id, lines);
  for (const line of text.split('\n')) {
    for (const salt of salts) {
      const hash = hashLine(line, salt)?.hash;
      if (hash !== undefined && wanted.has(hash)) lines.add(hash);
    }
  }
}

/** What the default branch contains, how far it goes, and what was reverted. */
async function readDefault(
  git: GitOptions,
  { tips, defaultTips }: Repository,
  since: number,
  bySha: ReadonlyMap<string, Commit>,
): Promise<Pick<History, 'onDefault' | 'untilOnDefault' | 'reverted' | 'revertedElsewhere'>> {
  const list = await gitText(git, ['rev-list', '--stdin', sinceOption(since)], defaultTips.join('\n'));
  const onDefault = new Set(list.split('\n').filter((sha) => sha !== ''));
  const inIt = [...onDefault].flatMap((sha) => bySha.get(sha) ?? []);
  const reverts = await readReverts(git, tips, since);
  return {
    onDefault,
    untilOnDefault: latest(inIt),
    reverted: revertedBy(reverts.filter(({ by }) => onDefault.has(by))),
    revertedElsewhere: revertedBy(reverts.filter(({ by }) => !onDefault.has(by))),
  };
}

type Revert = { readonly by: string; readonly of: readonly string[] };

/** Finds `This reverts commit …`, as git writes it. */
async function readReverts(git: GitOptions, tips: readonly string[], since: number): Promise<Revert[]> {
  const args = [
    'log',
    '--stdin',
    ...PLAIN_LOG,
    sinceOption(since),
    '--fixed-strings',
    '--grep=This reverts commit',
  ];
  const text = await gitText(git, [...args, '--format=%x01%H%n%B'], tips.join('\n'));
  return text
    .split('\u0001')
    .slice(1)
    .map((one) => ({
      by: one.slice(0, one.indexOf('\n')),
      of: [...one.matchAll(/This reverts commit ([0-9a-f]{7,64})/g)].map(([, sha = '']) => sha),
    }));
}

/** A reverted revert has no effect. */
function revertedBy(reverts: readonly Revert[]): Set<string> {
  const undone = new Set(reverts.flatMap(({ of }) => of));
  return new Set(reverts.filter(({ by }) => !isNamedIn(undone, by)).flatMap(({ of }) => of));
}

/** Folders with a repository of their own: files there are committed there. */
async function readSubmodules(git: GitOptions): Promise<string[]> {
  try {
    const text = await gitText(git, ['ls-files', '-z', '--stage']);
    return text.split('\0').flatMap((entry) => {
      const [, path] = /^160000 [0-9a-f]+ \d\t(.+)$/s.exec(entry) ?? [];
      return path === undefined ? [] : [path];
    });
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    return [];
  }
}

/** A folder of dependencies may contain hundreds of thousands of files. */
const TIME_MS = 5_000;

/** `pathEnds` of ignored files with one of these names. Empty when the folder cannot be read, or not in time. */
async function readIgnored(
  git: GitOptions,
  names: ReadonlySet<number | undefined>,
): Promise<readonly (readonly number[])[]> {
  const found: (readonly number[])[] = [];
  const deadline = Math.min(git.deadline, performance.now() + TIME_MS);
  try {
    await gitParts({ ...git, deadline }, ['ls-files', '-z', '--others', '--ignored', '--exclude-standard'], {
      separator: '\0',
      onPart: (path) => {
        const ends = pathEnds(path);
        if (names.has(ends[0])) found.push(ends);
      },
    });
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
  }
  return found;
}
