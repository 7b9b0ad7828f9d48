/**
 * One row per session, as it is printed. Where nothing that decides them has changed since they were last asked for, rows
 * are what was answered then: no session is read, scored or stored again.
 */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { AssayError } from '../../errors.ts';
import { areUntouched, type FileStamp } from '../../session/ingest/cache/plan-file.ts';
import { codeVersion, readersVersion } from '../../session/ingest/cache/readers-version.ts';
import { openTranscriptCache, type RememberedAnswer } from '../../session/ingest/cache/transcript-cache.ts';
import { areAsSeen, type SeenRepositories } from '../../session/outcomes/seen-repositories.ts';
import { shippedPricesName } from '../../session/pricing/shipped-prices.ts';
import type { LeftOut } from '../../session/results.ts';
import type { SessionRevision } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { type FoundTranscripts, findTranscripts } from './find-transcripts.ts';
import { type ModelOpinions, modelOpinions } from './model-opinions.ts';
import type { ScoreSessionsRequest, ScoringBasis } from './score-sessions.ts';
import type { SessionRequest, TranscriptPlaces } from './session-request.ts';
import { SessionRows } from './session-rows.ts';

export type ScoredRows = LeftOut & { readonly rows: SessionRows };

/** Rows that rest on other files than transcripts, or on the time of asking, are not remembered. */
export async function scoreRows(request: SessionRequest, ports: Ports, keep: boolean): Promise<ScoredRows> {
  const { from } = request;
  if (from === 'store' || from.cache === undefined || !isPlain(request))
    return scoreAnew({ ...request, keep }, ports);
  const opinions = await modelOpinions(ports);
  const place = { cache: from.cache, question: questionOf(from, request, opinions) };
  const known = from.fresh === true ? undefined : await recall(place, from, request, ports, keep);
  return known ?? scoreAnew({ ...request, keep, opinions }, ports, place);
}

type Place = { readonly cache: string; readonly question: string };

/** What decides rows, beside what stands in the question. */
type About = {
  readonly files: readonly FileStamp[];
  readonly repositories?: SeenRepositories;
  readonly kept?: readonly SessionRevision[];
  readonly count: number;
  readonly parents: readonly string[];
};

function isPlain({ scoring = {}, filter = {} }: SessionRequest): boolean {
  const { taskTypeOf: _, ownWeights: __, ...files } = scoring;
  return Object.keys(files).length === 0 && Object.keys(filter).length === 0;
}

/** All that is asked, said and set, and what answers: what differs in any of it is another question. */
function questionOf(
  { paths, also, home }: TranscriptPlaces,
  { scoring = {}, repositories }: SessionRequest,
  opinions: ModelOpinions,
): string {
  const { taskTypeOf, ownWeights } = scoring;
  const asked = [paths.map((path) => resolve(path)), also, home, repositories?.places];
  const all = [codeVersion(), shippedPricesName(), asked, taskTypeOf, ownWeights, [...opinions]];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
}

async function recall(
  place: Place,
  from: TranscriptPlaces,
  request: SessionRequest,
  ports: Ports,
  keep: boolean,
): Promise<ScoredRows | undefined> {
  const answer = withCache(place, (cache) => cache.answer(place.question));
  const about = answer && (JSON.parse(answer.about) as About);
  if (answer === undefined || about === undefined) return undefined;
  const found = findTranscripts(from);
  const isSame =
    areThese(about.files, found) &&
    (await areUntouched(about.files)) &&
    (!keep || (await isStored(about, ports))) &&
    (await areRepositoriesSame(about, request, ports));
  if (!isSame) return undefined;
  const { unreadable } = found;
  return { unreadable, rows: new SessionRows({ ...about, rows: answer.rows }) };
}

function areThese(stamps: readonly FileStamp[], { files }: FoundTranscripts): boolean {
  const now = [...new Set(files)].sort();
  return now.length === stamps.length && now.every((path, i) => path === stamps[i]?.path);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What is there, and was scored within a day, need not be told again when that was. */
async function isStored({ kept }: About, ports: Ports): Promise<boolean> {
  const since = new Date(ports.now().getTime() - DAY_MS).toISOString();
  try {
    return kept !== undefined && (await (await ports.store('looking')).holdsSessions(kept, since));
  } catch (error) {
    // Whoever stores them says what is wrong with it.
    if (error instanceof AssayError) return false;
    throw error;
  }
}

async function areRepositoriesSame(
  { repositories: seen }: About,
  { repositories }: SessionRequest,
  { signal }: Ports,
): Promise<boolean> {
  if (repositories === undefined) return true;
  return seen !== undefined && areAsSeen(seen, { ...repositories, signal });
}

async function scoreAnew(request: ScoreSessionsRequest, ports: Ports, place?: Place): Promise<ScoredRows> {
  const { scoreSessionsOpen } = await import('./score-sessions.ts');
  const rows = new SessionRows();
  const { basis, close, ...left } = await scoreSessionsOpen(request, ports, (one) => rows.add(one));
  close();
  const answer = place && answerOf(basis, rows, request);
  if (place !== undefined && answer !== undefined)
    withCache(place, (cache) => cache.rememberAnswer(place.question, answer));
  return { ...left, rows };
}

/** The rows of more would take too much room, and memory while they are written. */
const MOST_ROWS = 10_000;

/** Undefined: what it rests on may change without being noticed. */
function answerOf(
  { files, repositories, kept }: ScoringBasis,
  rows: SessionRows,
  request: ScoreSessionsRequest,
): RememberedAnswer | undefined {
  const isSettled = files?.every(({ identity }) => identity.settled) ?? false;
  const isKnown = repositories?.standings.every(([, standing]) => standing !== undefined) ?? false;
  if (files === undefined || !isSettled || rows.count === 0 || rows.count > MOST_ROWS) return undefined;
  if (request.repositories !== undefined && !isKnown) return undefined;
  const { rows: text, ...more } = rows.asText();
  const about = {
    files,
    ...(repositories && { repositories }),
    ...(kept && { kept }),
    ...more,
  } satisfies About;
  return { about: JSON.stringify(about), rows: text };
}

function withCache<T>(
  { cache: path }: Place,
  use: (cache: NonNullable<ReturnType<typeof openTranscriptCache>>) => T,
): T | undefined {
  const cache = openTranscriptCache(path, readersVersion());
  try {
    return cache && use(cache);
  } finally {
    cache?.close();
  }
}
