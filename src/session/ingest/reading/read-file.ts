/** One file → its sessions as facts, and what became of its lines. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FileReading, SessionFacts } from '../../evidence.ts';
import { joinKeys } from '../duplicates/entry-keys.ts';
import { nameOfFile } from '../files/name-by-file.ts';
import { type Input, openInput, PackingError, STANDARD_INPUT } from '../files/open-input.ts';
import type { BinaryDocuments, LoadedFormat } from '../formats/format.ts';
import { likelyFormats, loadFormats } from '../formats/load-formats.ts';
import { hasSpreadObjects, joinedObjects } from '../json/joined-objects.ts';
import { type LinesOrDocument, linesOrDocument } from '../json/lines-or-document.ts';
import { abandonedKeys } from './branches.ts';
import { bufferStdin } from './buffer-stdin.ts';
import { companionsOf } from './companion-files.ts';
import { documentTooLarge, MAX_DOCUMENT_BYTES, readBinary, readDocument } from './read-document.ts';
import { type ReadingProgress, readLines } from './read-lines.ts';
import { readStore } from './read-store.ts';
import { countLine, countSkip, emptyTally, readingOf, type TallyState } from './tally.ts';
import type { LeaveOut, Listen, Transcript } from './transcript.ts';
import { transcriptsWithin, type Within } from './transcripts-within.ts';

export type FileOptions = {
  /** All there are when not given. */
  readonly formats?: readonly LoadedFormat[] | undefined;
  /** Entries that another file owns. */
  readonly duplicates?: ReadonlySet<number> | undefined;
  /** Where the last reading was left. */
  readonly resume?: ReadingProgress | undefined;
  /**
   * True: the result says where it was left, so that the next reading can go on there. `in memory`: it may hold words that
   * somebody said, and is not put away.
   */
  readonly remember?: boolean | 'in memory' | undefined;
  readonly listen?: Listen | undefined;
  /** True: whoever listens has heard what they wanted; the rest of a file of lines is not read. */
  readonly enough?: (() => boolean) | undefined;
};

export type FileResult = {
  readonly path: string;
  readonly sessions: readonly SessionFacts[];
  /** What lay beside it; changes when that does. */
  readonly companions: string;
  readonly reading: FileReading;
  /** Identities of the entries that were read, hashed, for finding duplicates in other files. */
  readonly keys: Float64Array;
  /** Bytes the file had. */
  readonly bytes: number;
  /** `ReadingProgress` as JSON; undefined for what cannot be resumed (documents, archives, stores, pipes). */
  readonly progress: string | undefined;
  /** The same for the next reading of this process, and for one only: it goes on with these very objects. */
  readonly going?: ReadingProgress | undefined;
  /** How far the file was read, where it can be resumed. */
  readonly left?: number | undefined;
  /** True when the reading went on where the last one was left; `keys` then holds the new entries only. */
  readonly resumed: boolean;
};

/** So much of a file is looked through for what an agent printed. */
const MAX_WITHIN_BYTES = 16 * 1024 * 1024;
/** So much is looked at for objects that are spread over lines. */
const LOOKED_AT_BYTES = 64 * 1024;

export async function readFile(path: string, options: FileOptions = {}): Promise<FileResult> {
  const input = await bufferStdin(openInput(path));
  const read = await readAlongside(input, await readInput(input, options), options);
  const reading = { ...read.reading, ...placeOf(path) };
  return { ...read, reading, companions: await companionsOf(path, read.sessions[0]?.source) };
}

/** Several programs write to one file: what the format of the file has left to others is read with theirs. */
async function readAlongside(
  input: Input,
  { alongside = [], ...read }: Read,
  options: FileOptions,
): Promise<Omit<Read, 'alongside'>> {
  if (alongside.length === 0 || input.size === undefined) return read;
  const others = options.formats ?? (await loadFormats(({ name }) => alongside.includes(name)));
  const formats = others
    .filter(({ name }) => alongside.includes(name))
    .map((format) => ({ ...format, detect: () => true }));
  if (formats.length === 0) return read;
  const other = await readInput(input, { ...options, formats, resume: undefined, remember: false });
  const sessions = [...read.sessions, ...other.sessions];
  return { ...read, sessions, keys: joinKeys([read.keys, other.keys]) };
}

/** Nothing when the path is where the file is. */
function placeOf(path: string): Pick<FileReading, 'place'> {
  const place = path === STANDARD_INPUT ? resolve(path) : realPath(path);
  return place === path ? {} : { place };
}

function realPath(path: string): string {
  try {
    // By the system: the other one looks at every folder on the way, which took as long as a small file.
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

type Options = FileOptions & {
  readonly formats: readonly LoadedFormat[];
  /** True: these are the formats that the beginning hints at. If it is none of them, all are asked. */
  readonly likely?: boolean;
  /** True: read as lines that are no JSON. */
  readonly text?: boolean;
  /** True: objects that were spread over lines have one each by now. */
  readonly joined?: boolean;
};
type Read = Omit<FileResult, 'companions'> & { readonly alongside?: readonly string[] };

async function readInput(input: Input, options: FileOptions): Promise<Read> {
  const { resume, formats } = options;
  const { packing } = input;
  if (packing === 'sqlite' || packing === 'zip') {
    const stores = formats ?? (await loadFormats((format) => format.packing === packing));
    return readStoreFile(input, { ...options, formats: stores });
  }
  if (resume !== undefined) {
    const own = formats ?? (await loadFormats(({ name }) => name === resume.format));
    const result = await readLinesFile(input, input.chunks(resume.at.offset), { ...options, formats: own });
    // Somebody went back in the conversation: which entries count has to be found out anew.
    if (result !== undefined) return result;
  }
  return readFromStart(input, { ...options, resume: undefined });
}

async function readFromStart(input: Input, given: FileOptions & Pick<Options, 'likely'>): Promise<Read> {
  const chunks = input.chunks();
  let first: Buffer;
  try {
    first = await firstOf(chunks);
  } catch (error) {
    // Nothing of it can be unpacked: reading it as lines says so.
    if (error instanceof PackingError) return lines(input, input.chunks(), { ...given, formats: [] });
    throw error;
  }
  const options = await withFormats(given, first, input);
  const binary = options.formats.find((format) => format.binary?.isFor(first))?.binary;
  if (binary !== undefined) return readBinaryFile(input, withFirst(first, chunks), binary, options);
  let shape: LinesOrDocument = linesOrDocument(
    first,
    input.packing === 'plain' && first.length === input.size,
  );
  const canReopen = input.size !== undefined;
  if (shape === 'long line' && canReopen) {
    await chunks.return();
    shape = (await hasSecondLine(input)) ? 'lines' : 'document';
    return shape === 'document' ? readDocumentFile(input, options) : lines(input, input.chunks(), options);
  }
  if (shape !== 'document') return lines(input, withFirst(first, chunks), options);
  await chunks.return();
  if (!canReopen) return tooLarge(input);
  return readDocumentFile(input, options);
}

/** What cannot be read a second time is shown to all formats at once. */
async function withFormats(
  options: FileOptions & Pick<Options, 'likely'>,
  beginning: Buffer,
  { size }: Input,
): Promise<Options> {
  if (options.formats !== undefined) return { ...options, formats: options.formats };
  const formats = size === undefined ? [] : await likelyFormats(beginning);
  if (formats.length > 0) return { ...options, formats, likely: true };
  return { ...options, formats: await loadFormats() };
}

/** It looked like something that it is not. */
async function readWithAllFormats(input: Input, options: Options): Promise<Read> {
  return readFromStart(input, { ...options, formats: await loadFormats(), likely: false });
}

async function readBinaryFile(
  input: Input,
  chunks: AsyncGenerator<Buffer>,
  binary: BinaryDocuments,
  { formats, duplicates, listen }: Options,
): Promise<Read> {
  const of = { path: input.path, formats, listen, leaveOut: leaveOut(duplicates, undefined) };
  const bytes = await readUpTo(chunks, MAX_DOCUMENT_BYTES);
  const { transcript, tally } = bytes === undefined ? documentTooLarge() : readBinary(bytes, binary, of);
  return resultOf(input, transcript, tally, undefined, false);
}

async function lines(input: Input, chunks: AsyncGenerator<Buffer>, options: Options): Promise<Read> {
  return (await readLinesFile(input, chunks, options)) as Read;
}

/** Undefined when a resumption found a new branch. */
async function readLinesFile(
  input: Input,
  chunks: AsyncGenerator<Buffer>,
  options: Options,
  abandoned?: ReadonlySet<number>,
): Promise<Read | undefined> {
  const { formats, duplicates, resume, remember, listen, enough, text = false } = options;
  const read = await readLines(input.path, chunks, {
    formats,
    resume,
    text,
    listen,
    enough,
    leaveOut: leaveOut(duplicates, abandoned),
  });
  const { transcript } = read;
  const newJumps = (transcript?.jumps.length ?? 0) > (resume?.transcript.jumps.length ?? 0);
  if (newJumps && resume !== undefined) return undefined;
  if (newJumps && abandoned === undefined && transcript !== undefined && input.size !== undefined) {
    const branches = abandonedKeys(transcript.ids.toArray(), transcript.jumps);
    if (branches.size > 0) return readLinesFile(input, input.chunks(), options, branches);
  }
  const canResume = remember && !text && input.packing === 'plain' && input.size !== undefined;
  const isFree = remember === 'in memory' ? transcript?.canGoOn : transcript?.canResume;
  const where = canResume && isFree && read.isTold ? read.at : undefined;
  const going =
    where !== undefined && remember === 'in memory' && transcript !== undefined
      ? goingOn(where, transcript, read.tally)
      : undefined;
  const progress =
    where !== undefined && remember === true && transcript !== undefined
      ? JSON.stringify(progressOf(where, transcript, read.tally))
      : undefined;
  if (transcript === undefined && input.size !== undefined) {
    if (options.likely) return readWithAllFormats(input, options);
    const other = text ? undefined : await readOtherwise(input, options);
    if (other !== undefined) return other;
  }
  if (read.tail !== undefined) countTail(read.tally, read.tail, read.at.line);
  const left = progress === undefined && going === undefined ? undefined : read.at.offset;
  return { ...resultOf(input, transcript, read.tally, progress, resume !== undefined), left, going };
}

function countTail(tally: TallyState, reason: 'cut off at the end' | 'damaged archive', line: number): void {
  countLine(tally, line);
  countSkip(tally, reason, line);
}

function progressOf(at: ReadingProgress['at'], transcript: Transcript, tally: TallyState): ReadingProgress {
  return { format: transcript.format.name, at, tally, transcript: transcript.state() };
}

/**
 * The same without putting it away: the end of this reading changes folds and counts, of which there is little; the state of
 * the adapter it leaves as it is.
 */
function goingOn(at: ReadingProgress['at'], transcript: Transcript, tally: TallyState): ReadingProgress {
  const { transcript: state, ...progress } = progressOf(at, transcript, structuredClone(tally));
  return { ...progress, transcript: { ...state, folds: structuredClone(state.folds) } };
}

async function readDocumentFile(
  input: Input,
  options: Options,
  abandoned?: ReadonlySet<number>,
): Promise<Read> {
  const { formats, duplicates, listen } = options;
  const of = { path: input.path, formats, listen, leaveOut: leaveOut(duplicates, abandoned) };
  const bytes = await readUpTo(input.chunks(), MAX_DOCUMENT_BYTES);
  if (bytes === undefined) return tooLarge(input);
  const read = readDocument(bytes, of);
  if (read === undefined) return lines(input, input.chunks(), options);
  if (read.transcript === undefined && options.likely) return readWithAllFormats(input, options);
  // One line may be a document, or a transcript of one record that is still growing.
  const isLine = read.transcript !== undefined && read.transcript.format.elements === undefined;
  if (isLine) return lines(input, input.chunks(), options);
  if (read.transcript === undefined) {
    const within = await readWithin(input, options);
    if (within !== undefined) return within;
  } else if (abandoned === undefined) {
    const branches = abandonedKeys(read.transcript.ids.toArray(), read.transcript.jumps);
    if (branches.size > 0) return readDocumentFile(input, options, branches);
  }
  return resultOf(input, read.transcript, read.tally, undefined, false);
}

function tooLarge(input: Input): Read {
  return resultOf(input, undefined, documentTooLarge().tally, undefined, false);
}

/** Lines that no format knows: something is in their fields, or they are no JSON and meant to be none. */
async function readOtherwise(input: Input, options: Options): Promise<Read | undefined> {
  const within = await readWithin(input, options);
  if (within !== undefined) return within;
  const joined = options.joined ? undefined : await readSpread(input, options);
  if (joined !== undefined) return joined;
  const plain = await lines(input, input.chunks(), { ...options, text: true });
  return plain.sessions.length === 0 ? undefined : plain;
}

/** Objects one after another, each over several lines. */
async function readSpread(input: Input, options: Options): Promise<Read | undefined> {
  const first = await readUpTo(input.chunks(), LOOKED_AT_BYTES, 'beginning');
  if (first === undefined || !hasSpreadObjects(first)) return undefined;
  const joined = { ...input, chunks: () => joinedObjects(input.chunks()) };
  const read = await lines(joined, joined.chunks(), { ...options, remember: false, joined: true });
  return read.sessions.length === 0 ? undefined : read;
}

/** What an agent printed may stand in a field of a file that is about more: a result of a benchmark, a report of a job. */
async function readWithin(input: Input, options: Options): Promise<Read | undefined> {
  const whole = await readUpTo(input.chunks(), MAX_WITHIN_BYTES);
  const found = whole === undefined ? [] : transcriptsWithin(whole, input.path, options.formats);
  if (found.length === 0) return undefined;
  const tally = emptyTally();
  const keys: Float64Array[] = [];
  const sessions: SessionFacts[] = [];
  const names = namesOf(found, nameOfFile(input.path));
  for (const [index, { lines: text, plain, id }] of found.entries()) {
    const read = await readLines(input.path, only(Buffer.from(text)), {
      ...options,
      resume: undefined,
      text: plain,
      tally,
      name: names[index],
      leaveOut: leaveOut(options.duplicates, undefined),
    });
    if (read.transcript === undefined) continue;
    keys.push(read.transcript.keys.toUnique());
    const instance = found.length > 1 ? id : undefined;
    sessions.push(...withInstance(read.transcript.finish(Math.max(1, tally.lastLine)), instance));
  }
  const [path, bytes] = [input.path, input.size ?? 0];
  const reading = readingOf(path, tally);
  return { path, sessions, reading, keys: joinKeys(keys), bytes, progress: undefined, resumed: false };
}

/** What it was started for is told of the first session; the others are those that it began in turn. */
function* withInstance(
  sessions: Iterable<SessionFacts>,
  instance: string | undefined,
): Generator<SessionFacts> {
  let isTold = instance === undefined;
  for (const facts of sessions) {
    const isRun = !isTold && facts.parentSessionId === undefined;
    yield isRun ? { ...facts, ...(instance !== undefined && { instance }) } : facts;
    isTold ||= isRun;
  }
}

/** What each is called that has no name of its own. */
function namesOf(found: readonly Within[], file: string): string[] {
  if (found.length === 1) return [file];
  const seen = new Map<string, number>();
  return found.map(({ place }) => {
    const times = (seen.get(place) ?? 0) + 1;
    seen.set(place, times);
    return times === 1 ? `${file}:${place}` : `${file}:${place} ${times}`;
  });
}

function readStoreFile(input: Input, { formats, duplicates, listen }: Options): Read {
  const { sessions, tally, keys } = readStore(input.path, {
    formats,
    leaveOut: leaveOut(duplicates, undefined),
    listen,
    isArchive: input.packing === 'zip',
  });
  const reading = readingOf(input.path, tally);
  return {
    path: input.path,
    sessions,
    reading,
    keys,
    bytes: input.size ?? 0,
    progress: undefined,
    resumed: false,
  };
}

function resultOf(
  input: Input,
  transcript: Transcript | undefined,
  tally: TallyState,
  progress: string | undefined,
  resumed: boolean,
): Read {
  return {
    path: input.path,
    // Before the tally is looked at: the end of a transcript may be something that is not understood.
    sessions: transcript?.finish(Math.max(1, tally.lastLine)) ?? [],
    reading: readingOf(input.path, tally),
    keys: transcript?.keys.toUnique() ?? new Float64Array(),
    bytes: input.size ?? 0,
    progress,
    resumed,
    ...(transcript !== undefined && { alongside: transcript.alongside }),
  };
}

function leaveOut(
  duplicates: ReadonlySet<number> | undefined,
  abandoned: ReadonlySet<number> | undefined,
): LeaveOut {
  return { duplicates, abandoned };
}

/** Empty when there is nothing. */
async function firstOf(chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  return (await chunks.next()).value ?? Buffer.alloc(0);
}

/** The first chunk lies in a buffer that is used again: it must be handed on before the next one is asked for. */
async function* withFirst(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer, void, void> {
  yield first;
  yield* rest;
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer, void, void> {
  yield bytes;
}

/** Undefined when there is more, unless only the beginning is wanted. */
async function readUpTo(
  chunks: AsyncGenerator<Buffer>,
  limit: number,
  part: 'whole' | 'beginning' = 'whole',
): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > limit && part === 'whole') return undefined;
      parts.push(Buffer.from(chunk));
      if (length > limit) break;
    }
  } catch (error) {
    if (!(error instanceof PackingError)) throw error;
  }
  return Buffer.concat(parts);
}

async function hasSecondLine(input: Input): Promise<boolean> {
  let sawEnd = false;
  try {
    for await (const chunk of input.chunks()) {
      const from = sawEnd ? 0 : chunk.indexOf(10) + 1;
      if (!sawEnd && from === 0) continue;
      sawEnd = true;
      for (let at = from; at < chunk.length; at++) if ((chunk[at] as number) > 0x20) return true;
    }
  } catch (error) {
    if (!(error instanceof PackingError)) throw error;
  }
  return false;
}
