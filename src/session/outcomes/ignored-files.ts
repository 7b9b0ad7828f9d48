/** Files of a folder that its repository is told to leave out. That they are in no commit says nothing about their worth. */
import { pathEnds } from '../fold/line-fingerprints.ts';
import { type GitOptions, GitProblem, gitParts, gitText } from './git.ts';

/** Folders with a repository of their own: what is written there is committed there. */
export async function readSubmodules(git: GitOptions): Promise<string[]> {
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

/** A folder of dependencies may hold hundreds of thousands of them. */
const TIME_MS = 5_000;

/** `pathEnds` of those with one of these names. None where the folder cannot be looked through, or not in time. */
export async function readIgnored(
  git: GitOptions,
  names: ReadonlySet<number | undefined>,
): Promise<readonly (readonly number[])[]> {
  const found: (readonly number[])[] = [];
  const deadline = Math.min(git.deadline, Date.now() + TIME_MS);
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
