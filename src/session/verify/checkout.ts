/**
 * A commit in its own folder: a new repository that borrows the objects of the original, but none of its configuration,
 * hooks, filters or worktrees. The original is never written to.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { type GitOptions, GitProblem, gitParts, gitText } from '../outcomes/git.ts';
import { openRepository } from '../outcomes/repository.ts';

/** More files are either no real project, or made to fill the disk. */
const MOST_FILES = 300_000;
const MOST_BYTES = 8 * 1024 ** 3;

export async function checkOut(
  git: GitOptions,
  objects: string,
  commit: string,
  folder: string,
): Promise<void> {
  await checkSize(git, commit);
  const tree = join(folder, 'tree');
  mkdirSync(tree, { recursive: true });
  const own: GitOptions = { ...git, folder: tree, withoutConfig: true };
  const kind = commit.length === 64 ? ['--object-format=sha256'] : [];
  await gitText(own, ['init', '--quiet', '--template=', ...kind]);
  mkdirSync(join(tree, '.git/objects/info'), { recursive: true });
  writeFileSync(join(tree, '.git/objects/info/alternates'), `${objects}\n`);
  await gitText(own, ['checkout', '--quiet', '--detach', '--no-recurse-submodules', commit]);
}

async function checkSize(git: GitOptions, commit: string): Promise<void> {
  let [files, bytes] = [0, 0];
  await gitParts(git, ['ls-tree', '-r', '-l', '-z', commit], {
    separator: '\0',
    onPart: (entry) => {
      files += 1;
      bytes += Number(/^\d+ \w+ \w+ +(\d+)/.exec(entry)?.[1] ?? 0);
      if (files > MOST_FILES || bytes > MOST_BYTES) throw new GitProblem('it is too large to be checked out');
    },
  });
}

/** The object folder of a repository. */
export async function repositoryAt(
  folder: string,
  { environment, signal }: Pick<GitOptions, 'environment' | 'signal'>,
): Promise<string> {
  try {
    return (await openRepository({ folder, environment, signal, deadline: performance.now() + 60_000 }))
      .place;
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    throw new AssayError('USAGE', `${folder}: ${error.message}`, {
      remedy: 'Go to the repository whose sessions you want to verify, or name sessions or a project.',
    });
  }
}

/** The tree before the work of a session, and the one after it. */
export type Sides = {
  readonly commit: string;
  readonly parent: string;
  readonly tree: string;
  readonly parentTree: string;
  /** Commits between the two that do not belong to the session. */
  readonly others: number;
};

/** @param commits oldest first. */
export async function sidesOf(git: GitOptions, commits: readonly string[]): Promise<Sides> {
  const last = commits.at(-1);
  if (last === undefined) throw new GitProblem('nothing of it was committed');
  const first = commits[0] ?? last;
  const isChain = first === last || (await isAncestor(git, first, last));
  const begin = isChain ? first : last;
  const [tree, parents] = await treeOf(git, last);
  const [parent] = begin === last ? parents : (await treeOf(git, begin))[1];
  if (parent === undefined)
    throw new GitProblem('its commit is the first one: there is nothing to compare with');
  const [parentTree] = await treeOf(git, parent);
  if (parentTree === tree) throw new GitProblem('its commits change no file');
  const between = Number(await gitText(git, ['rev-list', '--count', '--first-parent', `${parent}..${last}`]));
  return {
    commit: last,
    parent,
    tree,
    parentTree,
    others: Math.max(0, between - (isChain ? commits.length : 1)),
  };
}

async function treeOf(git: GitOptions, commit: string): Promise<[tree: string, parents: readonly string[]]> {
  const text = await gitText(git, ['log', '-1', '--format=%T %P', commit]);
  const [tree = '', ...parents] = text.trim().split(' ');
  return [tree, parents];
}

async function isAncestor(git: GitOptions, first: string, last: string): Promise<boolean> {
  return (await gitText(git, ['rev-list', '--max-count=1', first, `^${last}`])).trim() === '';
}
