/** A line that a commit takes out of one file and puts into another is moved, not rewritten. */
import { hashLine } from '../fold/line-fingerprints.ts';
import { type GitOptions, gitParts, PLAIN_LOG } from './git.ts';
import type { LineEvent, LineEvents } from './history.ts';
import { PatchReader } from './patch-reader.ts';

/** Of so many commits that took lines out it is looked where they went; of older ones they count as gone. */
const MAX_COMMITS = 500;

/** What happened to lines, without those that only went to another file. */
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
