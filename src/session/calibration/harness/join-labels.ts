/** Matches the labels of a harness with sessions. */
import { resolve, sep } from 'node:path';
import { AssayError } from '../../../errors.ts';
import { stemOf } from '../../ingest/files/name-by-file.ts';
import type { HarnessLabel } from '../../ingest/formats/harness.ts';

export type Joinable = {
  readonly sessionId: string;
  readonly path: string;
  readonly instance?: string | undefined;
  readonly startedAt?: number | undefined;
};

type JoinedLabel<Session> = {
  readonly session: Session;
  readonly outcome: number;
  readonly task?: string;
};

export type JoinedLabels<Session> = {
  readonly joined: readonly JoinedLabel<Session>[];
  /** Labels without a session, and ambiguous labels: several equally good matches, or contradicting values. */
  readonly unmatched: number;
  readonly ambiguous: number;
};

export function joinLabels<Session extends Joinable>(
  labels: readonly HarnessLabel[],
  sessions: readonly Session[],
): JoinedLabels<Session> {
  const byId = Map.groupBy(sessions, (one) => one.sessionId);
  const byName = namesOf(sessions);
  const byPath = sessions
    .map((session) => ({ session, path: resolve(session.path) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const joined: JoinedLabel<Session>[] = [];
  let [unmatched, ambiguous] = [0, 0];
  for (const { of, outcome, task } of labels) {
    const fitting =
      'session' in of
        ? (byId.get(of.session) ?? [])
        : 'folder' in of
          ? firstOf(below(byPath, of.folder))
          : [...(byName.get(of.instance) ?? [])];
    const [session, ...others] = fitting;
    if (session === undefined) unmatched += 1;
    else if (others.length > 0) ambiguous += 1;
    else joined.push({ session, outcome, task });
  }
  const labelled = eachOnce(joined);
  return { joined: labelled.joined, unmatched, ambiguous: ambiguous + labelled.contradicted };
}

/** The report of a whole run repeats those of its trials. Equal labels count once; different ones are dropped. */
function eachOnce<Session>(labels: readonly JoinedLabel<Session>[]): {
  readonly joined: readonly JoinedLabel<Session>[];
  readonly contradicted: number;
} {
  const joined: JoinedLabel<Session>[] = [];
  let contradicted = 0;
  for (const [first, ...others] of Map.groupBy(labels, ({ session }) => session).values()) {
    if (first === undefined) continue;
    if (others.every(({ outcome }) => outcome === first.outcome)) joined.push(first);
    else contradicted += 1 + others.length;
  }
  return { joined, contradicted };
}

/** A trial has one agent; sub-agents are in the same folder and began later. */
function firstOf<Session extends Joinable>(sessions: readonly Session[]): Session[] {
  const [first] = sessions.toSorted(
    (a, b) => (a.startedAt ?? Number.POSITIVE_INFINITY) - (b.startedAt ?? Number.POSITIVE_INFINITY),
  );
  return first === undefined ? [] : [first];
}

function below<Session>(
  sessions: readonly { readonly session: Session; readonly path: string }[],
  folder: string,
): Session[] {
  const start = `${resolve(folder)}${sep}`;
  let [low, high] = [0, sessions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sessions[middle]?.path ?? '') < start) low = middle + 1;
    else high = middle;
  }
  const found: Session[] = [];
  for (let i = low; sessions[i]?.path.startsWith(start); i++)
    found.push((sessions[i] as { session: Session }).session);
  return found;
}

/** `<run>__<owner>__<repository>-<number>`: collected files have the name of their run before the instance. */
function endOf(stem: string): string[] {
  const parts = stem.split('__');
  return parts.length > 2 ? [parts.slice(-2).join('__')] : [];
}

/** Why no label matched, with a name from each side for comparison. */
export function explainNoMatch(
  labels: readonly HarnessLabel[],
  sessions: readonly Joinable[],
  ambiguous: number,
): AssayError {
  const named = labels.map(({ of }) =>
    'session' in of ? of.session : 'folder' in of ? of.folder : of.instance,
  );
  const what =
    ambiguous > 0
      ? `each of the ${labels.length} labels fits several of the ${sessions.length} sessions, or none`
      : `none of the ${labels.length} labels is of one of the ${sessions.length} sessions`;
  const [session] = sessions;
  return new AssayError('INPUT_INVALID', what, {
    remedy:
      labels.length === 0 || session === undefined
        ? 'Name the folder with the runs, and the report that is about them.'
        : `The report names ${named[0]}; a session is called ${session.sessionId} and lies in ${session.path}. A session is found by its id, its file or a folder it lies in: name the runs that the report is about.`,
  });
}

/** The session, its file or one of its folders is named after the instance. */
function namesOf<Session extends Joinable>(sessions: readonly Session[]): Map<string, Set<Session>> {
  const names = new Map<string, Set<Session>>();
  for (const session of sessions) {
    const stem = stemOf(session.path).replace(/\.traj$/i, '');
    const folders = session.path.split(/[\\/]/).slice(0, -1);
    const { sessionId, instance = sessionId } = session;
    for (const name of new Set([sessionId, instance, stem, ...endOf(stem), ...folders])) {
      const own = names.get(name);
      if (own === undefined) names.set(name, new Set([session]));
      else own.add(session);
    }
  }
  return names;
}
