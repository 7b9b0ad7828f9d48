import { existsSync } from 'node:fs';
import { AssayError } from '../../errors.ts';
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import type { Environment } from '../../session/ingest/formats/format.ts';
import { type Quote, readQuotes } from '../../session/ingest/replay/read-quotes.ts';
import { type Moment, scoreByMessage } from '../../session/ingest/replay/score-by-message.ts';
import type { Explanation, LeftOut, LinesElsewhere } from '../../session/results.ts';
import { type ScoredSession, type SessionOptions, scoreSession } from '../../session/score-session.ts';
import type { Ports } from '../ports.ts';
import { collectSessions } from './collect-sessions.ts';
import { findSession, matchesOf } from './find-session.ts';
import type { SessionRequest } from './session-request.ts';

export type ExplainRequest = SessionRequest & {
  /** The id of a session or any part of it, or its key. */
  readonly id: string;
  /** Also how the score came about: the transcript is read again. */
  readonly perMessage?: boolean;
  /** Also what the lines say that it rests on: the transcript is read again, and keys of this environment masked. */
  readonly quotes?: { readonly environment: Environment } | undefined;
};

/** A session that is in none of the places is looked for where it was read when it was kept. */
export async function explainSession(request: ExplainRequest, ports: Ports): Promise<Explanation> {
  const explained = await explainFrom(request, ports);
  if ('session' in explained) return explained;
  const kept = await whereItWasRead(request, ports);
  const again = kept && (await explainFrom({ ...request, ...kept }, ports));
  if (again !== undefined && 'session' in again) return again;
  throw explained.unknown;
}

type Explained = Explanation | (LeftOut & { readonly unknown: AssayError });

function explainFrom(request: ExplainRequest, ports: Ports): Promise<Explained> {
  return collectSessions(request, ports, async ({ sessions, detailsOf, options }): Promise<Explained> => {
    const found = findSession(sessions, request.id);
    if (found instanceof AssayError) return { unknown: found, unreadable: [] };
    const { session, facts, file } = detailsOf(found);
    const elsewhere = linesElsewhere(facts);
    return {
      session,
      file,
      ...(elsewhere.length > 0 && { elsewhere }),
      unreadable: [],
      ...(options.weights?.own && { ownWeights: options.weights.own }),
      ...(request.perMessage === true && {
        moments: await momentsOf(session.sessionId, file, options, found.key),
      }),
      ...(request.quotes !== undefined && {
        quotes: await quotesOf(session, file, elsewhere, request.quotes.environment),
      }),
    };
  });
}

/** Its file, or all of its files, where those are still there, else what the store remembers of it. */
async function whereItWasRead(
  { from, id }: ExplainRequest,
  ports: Ports,
): Promise<Pick<ExplainRequest, 'from' | 'id'> | undefined> {
  if (from === 'store' || from.paths.length > 0) return undefined;
  const store = await ports.store('looking');
  const rows = (await store.listSessions()).map((row) => ({ key: row.sessionKey, session: row }));
  const found = matchesOf(rows, id);
  const [only] = found;
  if (only === undefined) return undefined;
  // Several of them: what the store has of each says which they are.
  if (found.length > 1) return { from: 'store', id };
  const row = await store.readSession(only.key);
  const { file, facts } = (row?.facts ?? {}) as unknown as Partial<{
    file: FileReading;
    facts: SessionFacts;
  }>;
  // With a part of it missing it would be another session.
  const paths = [file, ...(facts === undefined ? [] : linesElsewhere(facts))].map((one) => one?.path ?? '');
  if (!paths.every((path) => existsSync(path))) return { from: 'store', id: only.key };
  return { from: { ...from, paths }, id: only.session.sessionId };
}

function linesElsewhere({ files = [], runs }: SessionFacts): LinesElsewhere[] {
  const byFile = new Map<string, number[]>();
  for (const [index, { file }] of runs.entries())
    if (file !== undefined) byFile.set(file, [...(byFile.get(file) ?? []), index + 1]);
  return [...files, ...[...byFile].map(([path, some]) => ({ path, runs: some }))];
}

/** In the order of lines, as they are counted in the session. */
async function quotesOf(
  session: ScoredSession,
  file: FileReading,
  elsewhere: readonly LinesElsewhere[],
  environment: Environment,
): Promise<Quote[]> {
  const read = (path: string, lines: ReadonlySet<number>) =>
    lines.size === 0 ? [] : readQuotes(path, session.sessionId, lines, environment);
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

/** The lines that its signals point to. */
export function linesOf({ runs }: Pick<ScoredSession, 'runs'>): ReadonlySet<number> {
  const signals = runs.flatMap(({ categories }) =>
    Object.values(categories).flatMap((category) => category.signals),
  );
  return new Set(signals.flatMap(({ reading }) => (reading.measured ? reading.lines : [])));
}

export function momentsOf(
  sessionId: string,
  file: FileReading,
  options: SessionOptions,
  key: string,
): Promise<Moment[]> {
  return scoreByMessage(file.path, sessionId, (facts) => scoreSession(facts, options, key).q);
}
