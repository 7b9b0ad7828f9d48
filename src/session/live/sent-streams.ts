/** What was sent to a server, read from the intake of the store as if each stream were a file. */
import { isNamedProject } from '../../named-project.ts';
import type { SentBy, SessionFacts } from '../evidence.ts';
import type { Input, OpenInput } from '../ingest/files/open-input.ts';
import type { FileResult } from '../ingest/reading/read-file.ts';
import type { ReadingProgress } from '../ingest/reading/read-lines.ts';
import { type FollowedFile, SortedKeys } from './followed-file.ts';

export type StreamName = { readonly project?: string | undefined; readonly stream: string };

export type StreamState = StreamName & { readonly parts: number; readonly receivedAt: number };

type PartPlace = { readonly key: string; readonly position: number };
type StreamPart = PartPlace & { readonly length: number };

/** Where streams are read from: the intake of a store. */
export interface StreamSource {
  parts(name: StreamName, after?: PartPlace): Promise<readonly StreamPart[]>;
  contents(name: StreamName, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

const PATH = /^intake:(?:of\/([0-9a-f]+)\/)?(.+)\.jsonl$/s;

/** In hexadecimal: a project may have any name. */
export function pathOfStream({ project, stream }: StreamName): string {
  const folder = project === undefined ? '' : `of/${Buffer.from(project).toString('hex')}/`;
  return `intake:${folder}${stream}.jsonl`;
}

export function streamOfPath(path: string): StreamName | undefined {
  const [, project, stream] = PATH.exec(path) ?? [];
  if (stream === undefined) return undefined;
  return { stream, ...(project !== undefined && { project: Buffer.from(project, 'hex').toString() }) };
}

/** A conversation may be in several OTLP streams, so its sessions have no single place. */
function placeOfStream({ project, stream }: StreamName): string | undefined {
  const folder = /^otlp\/[^/]+/.exec(stream)?.[0];
  return folder === undefined ? undefined : pathOfStream({ project, stream: folder });
}

/** Who sent a transcript; undefined for those that agents wrote on this machine. */
export function senderOf(path: string): SentBy | undefined {
  const name = streamOfPath(path);
  return name && (name.project === undefined ? {} : { project: name.project });
}

/**
 * A sent transcript belongs to the project it was sent to, whatever it claims, and is no duplicate of another
 * project's.
 */
export function factsOfSender(
  facts: SessionFacts,
  sent: SentBy | undefined,
  isShared: boolean,
): SessionFacts {
  if (sent === undefined) return facts;
  const { project } = sent;
  const { origin, ...others } = facts;
  // Several servers may see the parts of a stream come in different order: the first entry does not name the session.
  const own = isShared || origin === undefined ? { ...others, sent } : { ...facts, sent };
  if (project === undefined) return own;
  return {
    ...own,
    project: facts.project !== undefined && isNamedProject(facts.project, project) ? facts.project : project,
    ...(own.origin !== undefined && { origin: JSON.stringify([project, own.origin]) }),
  };
}

/** The position of a part: `start`, `end` are offsets in what is read. */
type Segment = PartPlace & {
  readonly start: number;
  readonly end: number;
  /** How many parts it has up to here. */
  readonly count: number;
};

type SentInput = Input & { readonly last: Segment | undefined };

/**
 * Undefined when the path is not that of a stream. `after`: parts up to there were read, and only later ones are loaded
 * unless reading starts over.
 */
export async function openStream(
  source: StreamSource,
  path: string,
  after?: Segment,
): Promise<SentInput | undefined> {
  const name = streamOfPath(path);
  if (name === undefined) return undefined;
  const segments = segmentsOf(await source.parts(name, after), after);
  const last = segments.at(-1) ?? after;
  async function* chunks(from = 0) {
    const some = from < (after?.end ?? 0) ? segmentsOf(await source.parts(name as StreamName)) : segments;
    yield* chunksOf(source, name as StreamName, some, from);
  }
  return { path, packing: 'plain', size: last?.end ?? 0, last, chunks };
}

function segmentsOf(parts: readonly StreamPart[], after?: Segment): readonly Segment[] {
  const segments: Segment[] = [];
  let { end, count } = after ?? { end: 0, count: 0 };
  for (const { key, position, length } of parts) {
    count += 1;
    segments.push({ key, position, start: end, end: end + length, count });
    end += length;
  }
  return segments;
}

const CHUNK_BYTES = 128 * 1024;
const PARTS_AT_ONCE = 200;
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/** In chunks as long as those of a file, however small the parts are: the first chunk decides the format. */
async function* chunksOf(
  source: StreamSource,
  name: StreamName,
  segments: readonly Segment[],
  from: number,
): AsyncGenerator<Buffer, void, void> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for (const some of portions(segments.filter(({ end }) => end > from))) {
    const contents = await source.contents(
      name,
      some.map(({ key }) => key),
    );
    for (const { key, start } of some) {
      const content = contents.get(key);
      // It was deleted meanwhile.
      if (content === undefined) return;
      const piece = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      pieces.push(piece.subarray(Math.max(0, from - start)));
      bytes += pieces.at(-1)?.length ?? 0;
      if (bytes < CHUNK_BYTES) continue;
      const whole = Buffer.concat(pieces);
      let at = 0;
      for (; bytes - at >= CHUNK_BYTES; at += CHUNK_BYTES) yield whole.subarray(at, at + CHUNK_BYTES);
      pieces = [whole.subarray(at)];
      bytes -= at;
    }
  }
  if (bytes > 0) yield Buffer.concat(pieces);
}

function* portions(segments: readonly Segment[]): Generator<readonly Segment[]> {
  let [some, bytes]: [Segment[], number] = [[], 0];
  for (const segment of segments) {
    if (some.length === PARTS_AT_ONCE || (some.length > 0 && bytes >= BYTES_AT_ONCE)) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(segment);
    bytes += segment.end - segment.start;
  }
  if (some.length > 0) yield some;
}

/** Where the last reading of a stream was left. */
export type LeftStream = { readonly progress: ReadingProgress; readonly last: Segment };

/** The stream as it is now; the same object when nothing has changed, undefined when it was deleted. */
export async function followStream(
  state: StreamState,
  before: FollowedFile | undefined,
  source: StreamSource,
): Promise<FollowedFile | undefined> {
  const { parts, receivedAt } = state;
  const stamp = `${parts} ${receivedAt}`;
  if (before?.stamp === stamp) return before;
  const path = pathOfStream(state);
  const left = before?.leftStream;
  const more = left && (await openStream(source, path, left.last));
  // Fewer than there are: an earlier part arrived late, so all of it is read again.
  const goesOn = (more?.last?.count ?? 0) >= parts;
  const input = goesOn ? more : await openStream(source, path);
  if (input === undefined || input.size === 0) return undefined;
  const { readFile } = await import('../ingest/reading/read-file.ts');
  const resume = goesOn ? left?.progress : undefined;
  const result = await readFile(path, { resume, remember: true, open: () => input });
  return { ...followed(result, result.resumed ? before : undefined, input), stamp, changedAt: receivedAt };
}

function followed(
  result: FileResult,
  before: FollowedFile | undefined,
  { path, last }: SentInput,
): Omit<FollowedFile, 'stamp' | 'changedAt'> {
  const { sessions, progress } = result;
  const keys = before?.keys ?? new SortedKeys();
  keys.add(result.keys);
  const name = streamOfPath(path);
  const place = name && placeOfStream(name);
  return {
    path,
    companions: '',
    sessions,
    reading: { ...result.reading, ...(place !== undefined && { place }) },
    keys,
    added: result.keys,
    ...(progress && last && { leftStream: { progress, last } }),
  };
}

/** Opens streams for readers of transcripts, most of which are files. */
export function openStreams(source: () => Promise<StreamSource>): OpenInput {
  return async (path) => (streamOfPath(path) === undefined ? undefined : openStream(await source(), path));
}
