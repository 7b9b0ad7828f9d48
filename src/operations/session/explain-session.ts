import type { SuccessChance } from '../../session/calibration/success-model.ts';
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import type { OpenInput } from '../../session/ingest/files/open-input.ts';
import type { Environment } from '../../session/ingest/formats/format.ts';
import { type Quote, readQuotes } from '../../session/ingest/replay/read-quotes.ts';
import { type Moment, scoreByMessage } from '../../session/ingest/replay/score-by-message.ts';
import { openStreams } from '../../session/live/sent-streams.ts';
import { seenIn } from '../../session/receipts.ts';
import type { ScoredSession, SessionOptions } from '../../session/score-session.ts';
import type { ListedSession } from '../../session/session-groups.ts';
import { type StoredSession, scoreStored } from '../../session/stored-session.ts';
import type { Ports } from '../ports.ts';
import { askSessions, type QueriedSessions, type ReadReport } from './ask-sessions.ts';
import { findSession } from './find-session.ts';
import { type Wording, withWords } from './list-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type Explanation = ReadReport & {
  readonly session: ScoredSession;
  /** The most important fact, and other evidence against it; quoted if the transcript was read. */
  readonly headline: string;
  readonly statements: ListedSession['statements'];
  readonly file: FileReading;
  /** Absent: too few known outcomes. */
  readonly chance?: SuccessChance | undefined;
  /** Sessions with a known outcome. */
  readonly knownOutcomes: number;
  /** Other files of the session; absent when all its lines are in one. */
  readonly elsewhere?: readonly LinesElsewhere[];
  /** Each message with the score if the session had ended there; absent unless requested. */
  readonly moments?: readonly Moment[];
  /** The lines that the score rests on, from the current transcript; absent unless requested. */
  readonly quotes?: readonly Quote[];
  /** The weights that differ from the documented ones. */
  readonly ownWeights?: readonly string[];
};

/** Lines after `after`, or all lines of some runs, are in another file. */
type LinesElsewhere =
  | { readonly path: string; readonly after: number }
  | { readonly path: string; readonly runs: readonly number[] };

export type ExplainRequest = SessionRequest & {
  /** The id or key of a session, or a part of the id. */
  readonly id: string;
  /** Quote the receipts: transcripts are read again, and keys of this environment masked. */
  readonly titles?: Wording | undefined;
  /** Also score each message: the transcript is read again. */
  readonly perMessage?: boolean;
  /** Also quote the lines behind the score: the transcript is read again, and keys of this environment masked. */
  readonly quotes?: { readonly environment: Environment } | undefined;
};

/** One session, regardless of the filter: each signal, and the lines behind it. */
export function explainSession(request: ExplainRequest, ports: Ports): Promise<Explanation> {
  return askSessions(request, ports, (asked) => explain(asked, request, ports));
}

async function explain(
  asked: QueriedSessions,
  { id, perMessage, quotes, titles }: ExplainRequest,
  ports: Ports,
): Promise<Omit<Explanation, 'unreadable'>> {
  const row = await findSession(asked.store, id);
  const full = asked.full(row);
  const chances = await asked.chances();
  const { session, facts, file } = full;
  const elsewhere = linesElsewhere(facts);
  const open = openStreams(async () => asked.store.intake);
  const { statements } = seenIn(session, facts);
  const plain = { sessionId: session.sessionId, path: file.path, statements, headline: statements[0].text };
  const [seen = plain] = titles === undefined ? [] : await withWords([plain], titles, ports);
  return {
    session,
    file,
    headline: seen.headline,
    statements: seen.statements,
    chance: chances.of(row),
    knownOutcomes: chances.known,
    ...(elsewhere.length > 0 && { elsewhere }),
    ...(asked.options.weights?.own && { ownWeights: asked.options.weights.own }),
    ...(perMessage === true && { moments: await momentsOf(full, asked.options, open) }),
    ...(quotes !== undefined && {
      quotes: await quotesOf(session, file, elsewhere, quotes.environment, open),
    }),
  };
}

function linesElsewhere({ files = [], runs }: SessionFacts): LinesElsewhere[] {
  const byFile = new Map<string, number[]>();
  for (const [index, { file }] of runs.entries())
    if (file !== undefined) byFile.set(file, [...(byFile.get(file) ?? []), index + 1]);
  return [...files, ...[...byFile].map(([path, some]) => ({ path, runs: some }))];
}

/** In the session's line order. */
async function quotesOf(
  session: ScoredSession,
  file: FileReading,
  elsewhere: readonly LinesElsewhere[],
  environment: Environment,
  open: OpenInput,
): Promise<Quote[]> {
  const read = (path: string, lines: ReadonlySet<number>) =>
    lines.size === 0 ? [] : readQuotes(path, session.sessionId, lines, environment, undefined, open);
  const runs = elsewhere.flatMap((one) => ('runs' in one ? [one] : []));
  const parts = elsewhere.flatMap((one) => ('after' in one ? [one] : []));
  const own = {
    ...session,
    runs: session.runs.filter((_run, i) => !runs.some((one) => one.runs.includes(i + 1))),
  };
  const quotes: Quote[] = [];
  for (const [index, { path, after }] of [{ path: file.path, after: 0 }, ...parts].entries()) {
    const last = parts[index]?.after ?? Number.POSITIVE_INFINITY;
    const lines = [...linesOf(own)].filter((line) => line > after && line <= last);
    const said = await read(path, new Set(lines.map((line) => line - after)));
    quotes.push(...said.map((quote) => ({ ...quote, line: quote.line + after })));
  }
  for (const { path, runs: some } of runs)
    quotes.push(
      ...(await read(path, linesOf({ runs: session.runs.filter((_run, i) => some.includes(i + 1)) }))),
    );
  return quotes;
}

/** The lines of its signals. */
function linesOf({ runs }: Pick<ScoredSession, 'runs'>): ReadonlySet<number> {
  const signals = runs.flatMap(({ categories }) =>
    Object.values(categories).flatMap((category) => category.signals),
  );
  return new Set(signals.flatMap(({ reading }) => (reading.measured ? reading.lines : [])));
}

/** Evidence from its repository and other sessions is the same for every moment. */
function momentsOf(
  stored: StoredSession & { readonly session: ScoredSession },
  options: SessionOptions,
  open: OpenInput,
): Promise<Moment[]> {
  const { file, session } = stored;
  return scoreByMessage(
    file.path,
    session.sessionId,
    (facts) => scoreStored({ ...stored, facts }, options).q,
    open,
  );
}
