/** Files of a folder that its repository is told to leave out. That they are in no commit says nothing about their worth. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
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

// What a repository is told to leave out, as one mark: files that it leaves out change no branch, and say nothing of work.

/** As many as the largest repositories have; more are not looked at. */
const MOST_FOLDERS = 20_000;
/** Far longer than rules are; of what is longer still, only its length and time are looked at. */
const MOST_BYTES = 1024 * 1024;

/**
 * The same as long as the rules are: of the folder, of all above it in the repository (`prefix` leads from its root to
 * the folder), of those below it with a file that git knows, of the repository itself (`place`), and of the user.
 */
export async function ignoreRulesMark(
  git: GitOptions,
  { place, prefix }: { readonly place: string; readonly prefix: string },
): Promise<string> {
  const above = prefix.split('/').filter((part) => part !== '');
  const folders = [
    ...above.map((_, i) => resolve(git.folder, ...above.slice(i).map(() => '..'))),
    ...(await knownFolders(git)).map((folder) => join(git.folder, folder)),
  ];
  const hash = createHash('sha256');
  const add = (path: string, rules: string | Buffer | undefined): void => {
    if (rules !== undefined) hash.update(`${path}\0${rules.length}\0`).update(rules);
  };
  for (const folder of folders) {
    const path = join(folder, '.gitignore');
    // Git follows no link there either.
    add(relative(git.folder, path), readRules(path, lstatSync));
  }
  for (const path of [join(place, 'info', 'exclude'), await usersFile(git)])
    if (path !== undefined) add(path, readRules(path, statSync));
  return hash.digest('hex');
}

/** In order; those without a file that git knows would only be found by looking through everything. */
async function knownFolders(git: GitOptions): Promise<string[]> {
  const folders = new Set(['.']);
  const add = (folder: string): void => {
    if (folders.has(folder) || folders.size >= MOST_FOLDERS) return;
    folders.add(folder);
    add(dirname(folder));
  };
  try {
    await gitParts(git, ['ls-files', '-z', '--cached'], {
      separator: '\0',
      onPart: (path) => add(dirname(path)),
    });
  } catch (error) {
    // One without a working tree leaves nothing out.
    if (!(error instanceof GitProblem)) throw error;
  }
  return [...folders].sort();
}

/** Where the user keeps rules for all repositories. */
async function usersFile(git: GitOptions): Promise<string | undefined> {
  const { HOME, XDG_CONFIG_HOME } = git.environment;
  try {
    const said = await gitText(git, ['config', '-z', '--default', '', '--type=path', 'core.excludesFile']);
    const named = said.split('\0')[0];
    if (named) return resolve(git.folder, named);
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
  }
  if (XDG_CONFIG_HOME) return join(XDG_CONFIG_HOME, 'git', 'ignore');
  return HOME ? join(HOME, '.config', 'git', 'ignore') : undefined;
}

function readRules(path: string, look: typeof lstatSync | typeof statSync): string | Buffer | undefined {
  try {
    const found = look(path, { throwIfNoEntry: false });
    if (!found?.isFile()) return undefined;
    return found.size > MOST_BYTES ? `${found.size} ${found.mtimeMs}` : readFileSync(path);
  } catch {
    return undefined;
  }
}
