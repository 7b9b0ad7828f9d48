/** Patches as agents write them: `*** Begin Patch` of apply_patch, and unified diffs. */

/** What became of a file: lines that it has now and had not before, and the other way round. */
export type FileChange = {
  readonly path: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** `added` is all there is in the file now. */
  readonly whole: boolean;
  /** It had this path before, and all that was in it. */
  readonly from?: string;
};

const BEGIN = '*** Begin Patch';
const FILE = /^\*\*\* (Add|Update|Delete) File: (.*\S)\s*$/;
const MOVE = /^\*\*\* Move to: (.*\S)\s*$/;

/** Lines that name a file are not longer. */
const MAX_NAME_LINE = 2_000;

export function isPatch(text: string): boolean {
  if (text.includes(BEGIN) || text.startsWith('diff --git ') || text.includes('\ndiff --git ')) return true;
  return (text.startsWith('--- ') || text.includes('\n--- ')) && text.includes('\n+++ ');
}

export function readPatch(text: string): FileChange[] {
  return text.includes(BEGIN) ? readEnvelope(text) : readDiffs(text);
}

type Open = { path: string; added: string[]; removed: string[]; whole: boolean };

function readEnvelope(text: string): FileChange[] {
  const changes: Open[] = [];
  const moves: FileChange[] = [];
  let open: Open | undefined;
  for (const line of text.slice(text.indexOf(BEGIN)).split('\n')) {
    const names = line.startsWith('*** ') && line.length < MAX_NAME_LINE;
    const [, what, path] = (names && FILE.exec(line)) || [];
    const moved = names ? MOVE.exec(line)?.[1] : undefined;
    if (path !== undefined) {
      open = { path, added: [], removed: [], whole: what === 'Add' };
      changes.push(open);
    } else if (open !== undefined && moved !== undefined) {
      moves.push({ path: moved, from: open.path, added: [], removed: [], whole: false });
      open.path = moved;
    } else if (line.startsWith('*** End Patch')) break;
    else if (open !== undefined) takeLine(open, line);
  }
  return [...moves, ...changes.map(settled)];
}

/** A diff of one file whose name is known, or of several that it names. */
export function readDiffs(text: string, path?: string): FileChange[] {
  const changes: Open[] = [];
  let open: Open | undefined;
  let old: string | undefined;
  let inHunk = false;
  const start = (name: string): void => {
    open = { path: path ?? name, added: [], removed: [], whole: false };
    changes.push(open);
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('diff --git ')) inHunk = false;
    else if (line.startsWith('@@')) {
      inHunk = true;
      if (open === undefined && path !== undefined) start(path);
    } else if (!inHunk && line.startsWith('--- ')) old = diffName(line);
    else if (!inHunk && line.startsWith('+++ ')) start(diffName(line) ?? old ?? '');
    else if (open !== undefined && inHunk) takeLine(open, line);
  }
  return changes.map(settled);
}

function diffName(line: string): string | undefined {
  const name = line.slice(4, MAX_NAME_LINE).split('\t')[0]?.trim() ?? '';
  return name === '/dev/null' ? undefined : name.replace(/^[ab]\//, '');
}

function takeLine(open: Open, line: string): void {
  if (line.startsWith('+')) open.added.push(line.slice(1));
  else if (line.startsWith('-')) open.removed.push(line.slice(1));
}

/** A line that is moved within its file is neither new nor gone. */
function settled({ path, added, removed, whole }: Open): FileChange {
  return { path, whole, added: without(added, removed), removed: without(removed, added) };
}

/** Lines of the first that are not among those of the second, each as often as it is one too many. */
export function without(lines: readonly string[], others: readonly string[]): string[] {
  if (others.length === 0) return [...lines];
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count === 0;
  });
}
