/**
 * Files that were given another name before anybody committed them, so that no rename in the history tells of it: they are
 * found by what is in them.
 */
import { hashLine } from '../fold/line-fingerprints.ts';
import { COMMITTED_WITHIN_MS, SLACK_MS } from './found-line.ts';
import { type GitOptions, GitProblem, gitParts, PLAIN_LOG } from './git.ts';
import { PatchReader } from './patch-reader.ts';
import type { Repository } from './repository.ts';
import type { Alias, WantedFile } from './wanted-files.ts';

/** What a session wrote into a file, and when. */
export type LostFile = WantedFile & {
  /** In the folder that the session worked in. */
  readonly inside: boolean;
  readonly wrote: readonly number[];
  readonly since: number;
  readonly until: number;
};

/** All that came into the repository is looked through for them: not longer than this, and not for more files. */
const TIME_MS = 10_000;
const MAX_FILES = 100;
/** So much of what was written is in it (git asks the same of a rename), and so many lines that say something. */
const LEAST_SHARE = 0.5;
const LEAST_EVIDENCE = 2;

/** For each file that is found the path under which it came. None where there is no time to look. */
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
      { ...git, deadline: Math.min(git.deadline, Date.now() + TIME_MS) },
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
