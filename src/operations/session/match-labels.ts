import type { LabelNames } from '../../session/calibration/labels.ts';
import type { SessionOptions } from '../../session/score-session.ts';
import { namesInFiles } from '../../session/views/rating-csv.ts';
import type { SessionSummary } from '../../store/store.ts';
import type { SessionRequest } from './session-request.ts';

export type Unjoined = { readonly sessionId: string; readonly sessions: number };

type Named = { readonly sessionKey: string; readonly sessionId: string };

/** Label name of a session → its key. */
export type Joined = ReadonlyMap<string, string>;

/**
 * Label files name sessions by key, by id, or by what CSV made of the id. A name that several sessions share is
 * ambiguous: it is attached to none of them and reported. All sessions are compared, before any filter, because a
 * filter does not make a name unique.
 */
export function matchLabels(
  options: SessionOptions,
  sessions: readonly Named[],
  names: LabelNames,
): { readonly options: SessionOptions; readonly unjoined: readonly Unjoined[]; readonly joined: Joined } {
  const { outcomes, taskTypes, costs } = options;
  const found = names.size === 0 ? new Map<string, Set<string>>() : sessionsNamed(sessions, names);
  const joined = new Map<string, string>();
  const unjoined: Unjoined[] = [];
  for (const [name, keys] of found) {
    const [key] = keys;
    if (keys.size > 1) unjoined.push({ sessionId: names.get(name) || name, sessions: keys.size });
    else if (key !== undefined) joined.set(name, key);
  }
  return {
    unjoined,
    joined,
    options: {
      ...options,
      ...(outcomes && { outcomes: byKey(outcomes, joined) }),
      ...(taskTypes && { taskTypes: byKey(taskTypes, joined) }),
      ...(costs && { costs: byKey(costs, joined) }),
    },
  };
}

/** Labels by session key. Of two labels for one session, the one under its key counts, because it is more specific. */
export function byKey<T>(labels: ReadonlyMap<string, T>, joined: Joined): Map<string, T> {
  const found = new Map<string, T>();
  for (const [name, label] of labels) {
    const key = joined.get(name);
    if (key !== undefined && (name === key || !found.has(key))) found.set(key, label);
  }
  return found;
}

/** Each name with the keys of the sessions that it may mean. */
function sessionsNamed(sessions: Iterable<Named>, names: LabelNames): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const otherwise = new Map<string, Set<string>>();
  const keyByName = onlyKeys(names);
  for (const { sessionKey: key, sessionId } of sessions) {
    for (const name of namesInFiles(key, sessionId)) {
      // A name that is declared as a key never matches a session that claims it as its id.
      if (names.has(name) && (name === key || names.get(name) === undefined)) add(found, name, key);
      const sameName = keyByName.get(name);
      if (sameName !== undefined) add(otherwise, sameName, key);
    }
  }
  return new Map([...otherwise, ...found]);
}

/** Id → the key next to it. An id with several keys is ambiguous. */
function onlyKeys(names: LabelNames): Map<string, string> {
  const keys = Map.groupBy(names.keys(), (name) => names.get(name) ?? '');
  keys.delete('');
  return new Map([...keys].flatMap(([id, [key, ...more]]) => (key && more.length === 0 ? [[id, key]] : [])));
}

function add(sets: Map<string, Set<string>>, name: string, key: string): void {
  const set = sets.get(name) ?? new Set();
  sets.set(name, set.add(key));
}

export type LabelFile =
  | { readonly ratings: string }
  | { readonly outcomes: string }
  /** The output of a harness: a file, or the folder of a job. */
  | { readonly report: string };

/** Q is compared with the labels or fitted to them, so known outcomes must not be part of it. */
export function withoutOutcomes<Request extends SessionRequest>(request: Request): Request {
  const { outcomes: _, ...scoring } = request.scoring ?? {};
  return { ...request, scoring };
}

/**
 * The name of each session in the user's files: its id, or its key when the id is not unique or equals another
 * session's key.
 */
export function byUniqueName(sessions: readonly SessionSummary[]): Map<string, SessionSummary> {
  const keys = new Set(sessions.map(({ sessionKey }) => sessionKey));
  const byId = Map.groupBy(sessions, ({ sessionId }) => sessionId);
  return new Map(
    sessions.map((one) => {
      const isOnly = !keys.has(one.sessionId) && byId.get(one.sessionId)?.length === 1;
      return [isOnly ? one.sessionId : one.sessionKey, one];
    }),
  );
}

/** Whether a file with these names contains the session; `name` is its name there. */
export function isNamedIn(
  names: ReadonlySet<string>,
  name: string,
  { sessionKey: key }: SessionSummary,
): boolean {
  return name === key ? names.has(key) : [...namesInFiles(key, name)].some((one) => names.has(one));
}
