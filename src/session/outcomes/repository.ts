/** Basic facts of a repository: its location, its branches, and the default branch. */
import { type GitOptions, GitProblem, gitText } from './git.ts';

export type Repository = {
  /** The folder of its objects: the same for all its worktrees. */
  readonly place: string;
  /** Commits of its branches, tags and worktrees. */
  readonly tips: readonly string[];
  /** Name of the default branch, and its commits, local and fetched. */
  readonly defaultBranch: string;
  readonly defaultTips: readonly string[];
  /** It has notes about who wrote what. */
  readonly hasNotes: boolean;
};

type Ref = { readonly sha: string; readonly name: string; readonly symref: string };

/** Usual names of default branches, when none is configured. */
const USUAL = ['main', 'master', 'trunk', 'develop', 'dev'];
export const NOTES_REF = 'refs/notes/ai';

export async function openRepository(git: GitOptions): Promise<Repository> {
  const about = await gitText(git, [
    'rev-parse',
    '--path-format=absolute',
    '--git-common-dir',
    '--is-shallow-repository',
  ]);
  const [place = '', shallow] = about.split('\n');
  if (shallow === 'true')
    throw new GitProblem('it is a shallow clone: its history is not all there (git fetch --unshallow)');
  const refs = await readRefs(git);
  const heads = await worktreeHeads(git);
  const tips = [
    ...new Set([...refs.filter(({ name }) => isBranchOrTag(name)).map(({ sha }) => sha), ...heads]),
  ].sort();
  if (tips.length === 0) throw new GitProblem('it has no commits yet');
  const { name, shas } = defaultBranch(refs, heads);
  return {
    place,
    tips,
    defaultBranch: name,
    defaultTips: shas,
    hasNotes: refs.some((ref) => ref.name === NOTES_REF),
  };
}

async function readRefs(git: GitOptions): Promise<Ref[]> {
  const format = '--format=%(objecttype) %(objectname) %(*objectname) %(refname) %(symref)';
  const text = await gitText(git, ['for-each-ref', format]);
  return text.split('\n').flatMap((line) => {
    const [type, sha = '', peeled = '', name = '', symref = ''] = line.split(' ');
    if (type === 'tag') return peeled === '' ? [] : [{ sha: peeled, name, symref }];
    return type === 'commit' ? [{ sha, name, symref }] : [];
  });
}

/** Stashes and notes are not history, and refs of other tools are not the project's. */
function isBranchOrTag(name: string): boolean {
  return /^refs\/(?:heads|remotes|tags|pull|merge-requests)\//.test(name);
}

/** Commits of worktrees that are on no branch. */
async function worktreeHeads(git: GitOptions): Promise<string[]> {
  const text = await gitText(git, ['worktree', 'list', '--porcelain']);
  return [...text.matchAll(/^HEAD ([0-9a-f]{40,64})$/gm)].flatMap(([, sha = '']) =>
    /^0+$/.test(sha) ? [] : [sha],
  );
}

function defaultBranch(refs: readonly Ref[], heads: readonly string[]): { name: string; shas: string[] } {
  const remoteHead = refs.find(
    ({ name, symref }) => /^refs\/remotes\/[^/]+\/HEAD$/.test(name) && symref !== '',
  );
  const short = remoteHead?.symref.split('/').slice(3).join('/');
  const names = short === undefined ? USUAL : [short, ...USUAL];
  for (const name of names) {
    const shas = refs
      .filter((ref) => ref.name === `refs/heads/${name}` || isRemote(ref.name, name))
      .map(({ sha }) => sha);
    if (shas.length > 0) return { name, shas: [...new Set(shas)].sort() };
  }
  const branches = refs.filter(({ name }) => name.startsWith('refs/heads/'));
  const [only] = branches.length === 1 ? branches : branches.filter(({ sha }) => sha === heads[0]);
  return only === undefined
    ? { name: 'HEAD', shas: heads.slice(0, 1) }
    : { name: only.name.slice('refs/heads/'.length), shas: [only.sha] };
}

function isRemote(ref: string, branch: string): boolean {
  return ref === `refs/remotes/origin/${branch}` || ref === `refs/remotes/upstream/${branch}`;
}
