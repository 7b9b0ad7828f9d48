/** One file → its sessions as facts, and the state of its lines. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FileReading, SessionFacts } from '../../evidence.ts';
import { joinKeys } from '../duplicates/entry-keys.ts';
import { companionsOf } from '../files/file-identity.ts';
import { type Input, type OpenInput, openInput, PackingError, STANDARD_INPUT } from '../files/open-input.ts';
import type { LoadedFormat } from '../formats/format.ts';
import { likelyFormats, loadFormats } from '../formats/load-formats.ts';
import { linesOrDocument } from '../json/lines-or-document.ts';
import { abandonedKeys } from './branches.ts';
import { type ReadingProgress, readLines } from './read-lines.ts';
import { countLine, countSkip, readingOf, type TallyState } from './tally.ts';
import type { Listen, Transcript } from './transcript.ts';

export type FileOptions = {
  /** Default: all. */
  readonly formats?: readonly LoadedFormat[] | undefined;
  /** Entries that another file owns. */
  readonly duplicates?: ReadonlySet<number> | undefined;
  /** Where the last reading was left. */
  readonly resume?: ReadingProgress | undefined;
  /** True: the result includes the position, so that the next reading in this process can resume. */
  readonly remember?: boolean | undefined;
  readonly listen?: Listen | undefined;
  readonly open?: OpenInput | undefined;
  /** True: the listener has what it needs; the rest of a file of lines is not read. */
  readonly enough?: (() => boolean) | undefined;
};

export type FileResult = {
  readonly path: string;
  readonly sessions: readonly SessionFacts[];
  /** Its companion files; changes when one of them does. */
  readonly companions: string;
  readonly reading: FileReading;
  /** Identities of the entries that were read, hashed, for finding duplicates in other files. */
  readonly keys: Float64Array;
  /** Bytes the file had. */
  readonly bytes: number;
  /** Undefined for what cannot be resumed: documents, archives, databases, pipes. */
  readonly progress?: ReadingProgress | undefined;
  /** True when the reading went on where the last one was left; `keys` then holds the new entries only. */
  readonly resumed: boolean;
};

export async function readFile(path: string, options: FileOptions = {}): Promise<FileResult> {
  const opened = await options.open?.(path);
  const input = opened ?? (await openInput(path));
  const read = await readAlongside(input, await readInput(input, options), options);
  if (opened !== undefined) return { ...read, companions: '' };
  const reading = { ...read.reading, ...placeOf(path) };
  return { ...read, reading, companions: await companionsOf(path, read.sessions[0]?.source) };
}

/** Several programs write to one file: what the format of the file leaves to others is read with theirs. */
async function readAlongside(
  input: Input,
  { alongside = [], ...read }: Read,
  options: FileOptions,
): Promise<Omit<Read, 'alongside'>> {
  if (alongside.length === 0) return read;
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
    // The system's version: the other one checks every folder on the path, which takes as long as reading a small file.
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
  /** Entries on branches that were left again. */
  readonly abandoned?: ReadonlySet<number>;
};
type Read = Omit<FileResult, 'companions'> & { readonly alongside?: readonly string[] };

async function readInput(input: Input, options: FileOptions): Promise<Read> {
  const { packing } = input;
  if (packing === 'sqlite' || packing === 'zip') {
    const formats = options.formats ?? (await loadFormats((format) => format.packing === packing));
    const { duplicates, listen } = options;
    const { readDatabase } = await import('./read-database.ts');
    const { sessions, tally, keys } = readDatabase(input.path, {
      formats,
      leaveOut: { duplicates },
      listen,
      isArchive: packing === 'zip',
    });
    const [path, bytes] = [input.path, input.size];
    return { path, sessions, reading: readingOf(path, tally), keys, bytes, resumed: false };
  }
  const { resume } = options;
  if (resume !== undefined) {
    const formats = [resume.transcript.format];
    const result = await readLinesFile(input, input.chunks(resume.at.offset), { ...options, formats });
    // Somebody went back in the conversation: which entries count has to be found out anew.
    if (result !== undefined) return result;
  }
  return readFromStart(input, { ...options, resume: undefined });
}

async function readFromStart(input: Input, given: FileOptions & Pick<Options, 'likely'>): Promise<Read> {
  const chunks = input.chunks();
  let first: Buffer;
  try {
    first = (await chunks.next()).value ?? Buffer.alloc(0);
  } catch (error) {
    // It cannot be unpacked; reading it as lines reports that.
    if (error instanceof PackingError) return readAsLines(input, { ...given, formats: [] });
    throw error;
  }
  const options = await withFormats(given, first);
  const isWhole = input.packing === 'plain' && first.length === input.size;
  const isBinary = options.formats.some(({ binary }) => binary?.isFor(first));
  let kind = isBinary ? 'document' : linesOrDocument(first, isWhole);
  if (kind === 'lines') return readAsLines(input, options, withFirst(first, chunks));
  await chunks.return();
  const bytes = await readWhole(input.chunks());
  // The first line is longer than the first chunk.
  if (kind === 'long line') kind = bytes === undefined ? 'lines' : linesOrDocument(bytes, true);
  return kind === 'document' ? readAsDocument(input, bytes, options) : readAsLines(input, options);
}

async function withFormats(
  options: FileOptions & Pick<Options, 'likely'>,
  beginning: Buffer,
): Promise<Options> {
  if (options.formats !== undefined) return { ...options, formats: options.formats };
  const formats = await likelyFormats(beginning);
  if (formats.length > 0) return { ...options, formats, likely: true };
  return { ...options, formats: await loadFormats() };
}

/** It looked like something that it is not. */
async function readWithAllFormats(input: Input, options: Options): Promise<Read> {
  return readFromStart(input, { ...options, formats: await loadFormats(), likely: false });
}

async function readAsLines(input: Input, options: Options, chunks = input.chunks()): Promise<Read> {
  return (await readLinesFile(input, chunks, options)) as Read;
}

/** Undefined when a resumption found a new branch. */
async function readLinesFile(
  input: Input,
  chunks: AsyncGenerator<Buffer>,
  options: Options,
): Promise<Read | undefined> {
  const { duplicates, abandoned, resume, remember, text } = options;
  const jumpsBefore = resume?.transcript.jumps.length ?? 0;
  const { transcript, tally, at, isSettled, tail } = await readLines(input.path, chunks, {
    ...options,
    leaveOut: { duplicates, abandoned },
  });
  if (transcript !== undefined && transcript.jumps.length > jumpsBefore) {
    if (resume !== undefined) return undefined;
    const branches = abandoned ?? abandonedKeys(transcript.ids.toArray(), transcript.jumps);
    if (abandoned === undefined && branches.size > 0)
      return readLinesFile(input, input.chunks(), { ...options, abandoned: branches });
  }
  if (transcript === undefined) {
    if (options.likely) return readWithAllFormats(input, options);
    const plain = text ? undefined : await readAsLines(input, { ...options, text: true });
    if (plain !== undefined && plain.sessions.length > 0) return plain;
  }
  const canResume = remember && isSettled && !text && input.packing === 'plain' && transcript?.canResume;
  // The end of what there is changes the tally.
  const progress = canResume ? { transcript, at, tally: structuredClone(tally) } : undefined;
  if (tail !== undefined) {
    countLine(tally, at.line);
    countSkip(tally, tail, at.line);
  }
  return { ...resultOf(input, transcript, tally, progress), resumed: resume !== undefined };
}

async function readAsDocument(input: Input, bytes: Buffer | undefined, options: Options): Promise<Read> {
  const { formats, duplicates, abandoned, listen } = options;
  const { documentTooLarge, readBinary, readDocument } = await import('./read-document.ts');
  const of = { path: input.path, formats, listen, leaveOut: { duplicates, abandoned } };
  if (bytes === undefined) return resultOf(input, undefined, documentTooLarge().tally);
  const binary = formats.find((format) => format.binary?.isFor(bytes))?.binary;
  const read = binary === undefined ? readDocument(bytes, of) : readBinary(bytes, binary, of);
  const transcript = read?.transcript;
  // One line may be a document, or a transcript of one record that is still growing.
  const isLine = binary === undefined && transcript !== undefined && transcript.format.elements === undefined;
  if (read === undefined || isLine) return readAsLines(input, options);
  if (transcript === undefined && options.likely) return readWithAllFormats(input, options);
  if (transcript !== undefined && abandoned === undefined) {
    const branches = abandonedKeys(transcript.ids.toArray(), transcript.jumps);
    if (branches.size > 0) return readAsDocument(input, bytes, { ...options, abandoned: branches });
  }
  return resultOf(input, transcript, read.tally);
}

function resultOf(
  input: Input,
  transcript: Transcript | undefined,
  tally: TallyState,
  progress?: ReadingProgress,
): Read {
  return {
    path: input.path,
    // Before the tally is looked at: the end of a transcript may be something that is not understood.
    sessions: transcript?.finish(Math.max(1, tally.lastLine), progress !== undefined) ?? [],
    reading: readingOf(input.path, tally),
    keys: transcript?.keys.toUnique() ?? new Float64Array(),
    bytes: input.size,
    progress,
    resumed: false,
    ...(transcript !== undefined && { alongside: transcript.alongside }),
  };
}

/** The first chunk is in a reused buffer: it must be passed on before the next one is read. */
async function* withFirst(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer, void, void> {
  yield first;
  yield* rest;
}

/** Larger documents are skipped. The largest results of benchmarks that we know of have half as much. */
const MAX_DOCUMENT_BYTES = 128 * 1024 * 1024;

/** Undefined when it is too large for a document. */
async function readWhole(chunks: AsyncGenerator<Buffer>): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > MAX_DOCUMENT_BYTES) return undefined;
      parts.push(Buffer.from(chunk));
    }
  } catch (error) {
    if (!(error instanceof PackingError)) throw error;
  }
  return Buffer.concat(parts);
}
