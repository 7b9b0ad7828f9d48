/**
 * Lines of files as short hashes, which is how they are stored and compared. White space does not count, so that a
 * formatter changes nothing. The file name is the salt: the same line in another file has another hash, and no table of
 * common lines matches. 48 bits: six bytes each.
 */
import type { WrittenFacts } from '../evidence.ts';
import type { FileChange } from './file-changes.ts';
import { type EditRisk, riskOfEdit } from './risks.ts';

/** Shorter lines (a brace, `else`, a blank) do not tell who wrote them. */
const LEAST_CHARS = 7;
const LEAST_WORD_CHARS = 4;
/** With this many letters and digits, a line is unlikely to be written twice by chance. */
const DISTINCT_WORD_CHARS = 12;
/** Only the start of longer lines (minified code, data) is hashed. */
const MAX_CHARS = 4_096;
const SPACE = 0x20;

const HIGH = 0x1_0000_0000;

/** The hash of a line, and how distinctive the line is: 0–1. */
type HashedLine = { readonly hash: number; readonly weight: number };

/** Undefined for a line that is not distinctive. */
export function hashLine(line: string, salt: number, from = 0): HashedLine | undefined {
  let high = 0x2545f491 ^ salt;
  let low = 0x1b873593 ^ salt;
  let chars = 0;
  let words = 0;
  const end = Math.min(line.length, from + MAX_CHARS);
  for (let i = from; i < end; i += 1) {
    const code = line.charCodeAt(i);
    if (code <= SPACE || code === 0xa0) continue;
    chars += 1;
    if (isWordCode(code)) words += 1;
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5bd1e995);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  if (chars < LEAST_CHARS || words < LEAST_WORD_CHARS) return undefined;
  return {
    hash: (high & 0xffff) * HIGH + (low >>> 0),
    weight: Math.min(1, words / DISTINCT_WORD_CHARS),
  };
}

function isWordCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code > 0xbf
  );
}

/** This many trailing parts of a path are enough to distinguish files. */
const MAX_DEPTH = 6;

/**
 * A path as hashes: of its last part, its last two and so on. Two paths may be the same file if their longest common
 * suffix has the same hash, wherever their folders are.
 */
export function pathEnds(path: string): number[] {
  return endsFrom(0x811c9dc5, path, MAX_DEPTH);
}

/** From the last part of the path; empty parts and `.` are skipped. */
function endsFrom(start: number, path: string, most: number): number[] {
  const ends: number[] = [];
  let hash = start;
  for (let end = path.length; end > 0 && ends.length < most; ) {
    const from = Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1)) + 1;
    if (from < end && !(from === end - 1 && path[from] === '.')) {
      for (let i = from; i < end; i += 1) hash = Math.imul(hash ^ path.charCodeAt(i), 0x01000193);
      hash = Math.imul(hash ^ 0x2f, 0x01000193);
      hash ^= hash >>> 15;
      ends.push(hash >>> 0);
    }
    end = from - 1;
  }
  return ends;
}

/** Whether a path may lead through a folder: one of its suffixes contains the whole path of that folder. */
export function isBelow(ends: readonly number[], folder: string): boolean {
  return ends.some((end, at) => {
    const above = endsFrom(end | 0, folder, Number.POSITIVE_INFINITY);
    return above.length > 0 && ends[at + above.length] === above.at(-1);
  });
}

/** How many trailing parts two paths share when they may be the same file; else 0. */
export function commonEnd(one: readonly number[], other: readonly number[]): number {
  const depth = Math.min(one.length, other.length);
  return depth > 0 && one[depth - 1] === other[depth - 1] ? depth : 0;
}

const BYTES = 6;

/** Packs 48-bit numbers into text. */
export function packHashes(hashes: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(hashes.length * BYTES);
  hashes.forEach((hash, i) => {
    bytes.writeUIntBE(hash, i * BYTES, BYTES);
  });
  return bytes.toString('base64');
}

export function unpackHashes(text: string | undefined): number[] {
  if (text === undefined) return [];
  const bytes = Buffer.from(text, 'base64');
  const hashes: number[] = [];
  for (let at = 0; at + BYTES <= bytes.length; at += BYTES) hashes.push(bytes.readUIntBE(at, BYTES));
  return hashes;
}

// What a session left in files: per file, the salted hashes of the lines it wrote, as they stood at the end. Lines that
// it removed, and its own lines that it overwrote, are stored as well: both help to find the commits of its work.
// Bounded: beyond `MAX_LINES` only every second, fourth … line is stored, chosen by its hash, so that shares stay
// right.

const MAX_LINES = 3_000;
const MAX_FILES = 200;
const MAX_COMMITS = 64;
const MAX_PENDING_LINES = 4_000;

/** A change whose call is still open. */
export type PendingChange = {
  ends: number[];
  inside: boolean;
  whole: boolean;
  added: number[];
  removed: number[];
  /** The former path. */
  from?: number[];
  risk?: EditRisk;
};

type FileState = {
  ends: number[];
  /** The salt of its lines, when the file had another name at first. */
  salt?: number;
  inside: boolean;
  firstAt: number | null;
  lastAt: number | null;
  wrote: number[];
  removed: number[];
  left: number[];
};

export type WrittenState = {
  /** Every 2^level-th line is stored. */
  level: number;
  files: FileState[];
  commits: { sha: string; subject: number; at: number | null }[];
};

export const nothingWritten = (): WrittenState => ({ level: 0, files: [], commits: [] });

export function pendingOf(
  changes: readonly FileChange[],
  project: string | undefined,
  written: WrittenState,
): PendingChange[] {
  const room = { lines: MAX_PENDING_LINES };
  return changes.slice(0, MAX_FILES).flatMap(({ path, added, removed, whole, from }) => {
    if (path === '') return [];
    const ends = pathEnds(path);
    const salt = findFile(written, ends)?.salt ?? ends[0] ?? 0;
    const risk = riskOfEdit(path, added, removed, whole);
    return [
      {
        ends,
        inside: isInside(path, project),
        whole,
        added: hashesOf(added, salt, room),
        removed: hashesOf(removed, salt, room),
        ...(from !== undefined && { from: pathEnds(from) }),
        ...(risk !== undefined && { risk }),
      },
    ];
  });
}

function hashesOf(lines: readonly string[], salt: number, room: { lines: number }): number[] {
  const found = new Set<number>();
  for (const line of lines) {
    const hash = hashLine(line, salt)?.hash;
    if (hash === undefined || room.lines === 0 || found.has(hash)) continue;
    found.add(hash);
    room.lines -= 1;
  }
  return [...found];
}

/** A relative path is assumed to be in the folder of the session. */
function isInside(path: string, project: string | undefined): boolean {
  const isAbsolute = /^(?:[\\/]|[A-Za-z]:[\\/]|~)/.test(path);
  if (!isAbsolute) return !path.startsWith('..');
  if (project === undefined || project.length < 2 || !path.startsWith(project)) return false;
  return /[\\/]/.test(path[project.length] ?? '') || /[\\/]$/.test(project);
}

export function settleChanges(
  written: WrittenState,
  changes: readonly PendingChange[],
  at: number | undefined,
): void {
  for (const change of changes) {
    if (deletesOrMoves(change)) {
      deleteOrMove(written, change);
      continue;
    }
    const file = fileOf(written, change);
    if (file === undefined) continue;
    if (at !== undefined && Number.isFinite(at)) {
      file.firstAt = Math.min(file.firstAt ?? at, at);
      file.lastAt = Math.max(file.lastAt ?? at, at);
    }
    apply(file, change, written.level);
  }
  while (linesOf(written) > MAX_LINES) thinOut(written);
}

const deletesOrMoves = ({ added, removed, whole, from }: PendingChange): boolean =>
  from !== undefined || (whole && added.length + removed.length === 0);

/** The file was deleted or moved. Shell paths may start differently from those of other tools. */
function deleteOrMove(written: WrittenState, { ends, inside, from }: PendingChange): void {
  const named = from ?? ends;
  const fits = written.files.filter((one) => commonEnd(one.ends, named) > 0);
  const exact = fits.find((one) => one.ends.length === named.length);
  const file = exact ?? (fits.length === 1 ? fits[0] : undefined);
  if (file === undefined) return;
  if (from === undefined) {
    file.left = union(file.left, file.wrote);
    file.wrote = [];
    return;
  }
  // The move replaces a file that stood there before.
  written.files = written.files.filter((one) => one === file || !isSamePath(one.ends, ends));
  file.salt ??= file.ends[0] ?? 0;
  Object.assign(file, { ends, inside });
  if (file.salt === ends[0]) delete file.salt;
}

const isSamePath = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.at(-1) === other.at(-1);

/** A moved file has the path that the shell used, which may start differently in other tools. */
function findFile({ files }: WrittenState, ends: readonly number[]): FileState | undefined {
  return (
    files.find((one) => isSamePath(one.ends, ends)) ??
    files.find((one) => one.salt !== undefined && commonEnd(one.ends, ends) > 0)
  );
}

function fileOf(written: WrittenState, { ends, inside }: PendingChange): FileState | undefined {
  const known = findFile(written, ends);
  const { files } = written;
  if (known !== undefined || files.length >= MAX_FILES) return known;
  const file = { ends, inside, firstAt: null, lastAt: null, wrote: [], removed: [], left: [] };
  files.push(file);
  return file;
}

function apply(file: FileState, { whole, added, removed }: PendingChange, level: number): void {
  const now = new Set(added);
  const gone = new Set(removed.filter((hash) => !now.has(hash)));
  const own = new Set(file.wrote);
  const overwritten = file.wrote.filter((hash) => gone.has(hash) || (whole && !now.has(hash)));
  const lost = new Set(overwritten);
  const fresh = added.filter((hash) => isSampled(hash, level) && !own.has(hash));
  file.wrote = [...file.wrote.filter((hash) => !lost.has(hash)), ...fresh];
  file.left = union(
    file.left.filter((hash) => !now.has(hash)),
    overwritten,
  );
  const takenOut = [...gone].filter((hash) => isSampled(hash, level) && !own.has(hash));
  file.removed = union(
    file.removed.filter((hash) => !now.has(hash)),
    takenOut,
  );
}

const union = (some: readonly number[], more: readonly number[]): number[] => [
  ...new Set([...some, ...more]),
];

const isSampled = (hash: number, level: number): boolean => hash % 2 ** level === 0;

function linesOf({ files }: WrittenState): number {
  return files.reduce(
    (sum, { wrote, removed, left }) => sum + wrote.length + removed.length + left.length,
    0,
  );
}

function thinOut(written: WrittenState): void {
  written.level += 1;
  for (const file of written.files) {
    for (const list of ['wrote', 'removed', 'left'] as const)
      file[list] = file[list].filter((hash) => isSampled(hash, written.level));
  }
}

/** What git prints when a commit is made: `[branch 1a2b3c4] subject`. */
const COMMITTED = /^\[[^\]]{1,200} ([0-9a-f]{7,40})\] (.{1,300})$/;
const MAX_TEXT = 64 * 1024;

export function noteCommits(written: WrittenState, text: string, at: number | undefined): void {
  for (const line of text.slice(0, MAX_TEXT).split('\n')) {
    if (!line.startsWith('[') || line.length > 600) continue;
    const [, sha, subject] = COMMITTED.exec(line) ?? [];
    if (sha === undefined || written.commits.some((one) => one.sha === sha)) continue;
    written.commits.push({ sha, subject: subjectHash(subject ?? ''), at: at ?? null });
    if (written.commits.length > MAX_COMMITS) written.commits.shift();
  }
}

/** Subjects stay the same when a commit is rebased or picked. */
export function subjectHash(subject: string): number {
  return hashLine(`${subject.trim()} subject`, 0)?.hash ?? 0;
}

/** Undefined when it wrote nothing. */
export function writtenFacts({ level, files, commits }: WrittenState): WrittenFacts | undefined {
  const written = files.filter(({ wrote, removed, left }) => wrote.length + removed.length + left.length > 0);
  if (written.length === 0 && commits.length === 0) return undefined;
  return {
    oneIn: 2 ** level,
    files: written.map(({ ends, salt, inside, firstAt, lastAt, wrote, removed, left }) => ({
      ends: [...ends],
      ...(salt !== undefined && { salt }),
      inside,
      ...(firstAt !== null && { firstAt }),
      ...(lastAt !== null && { lastAt }),
      wrote: packHashes(wrote),
      ...(removed.length > 0 && { removed: packHashes(removed) }),
      ...(left.length > 0 && { left: packHashes(left) }),
    })),
    commits: commits.map(({ sha, subject, at }) => ({ sha, subject, ...(at !== null && { at }) })),
  };
}
