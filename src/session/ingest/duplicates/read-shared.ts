/** Files that share entries → the sessions each of them really has, read again without what another file owns. */
import type { FilePart, SessionFacts } from '../../evidence.ts';
import { nameOfFile } from '../files/name-by-file.ts';
import type { OpenInput } from '../files/open-input.ts';
import type { LoadedFormat } from '../formats/format.ts';
import { loadFormats } from '../formats/load-formats.ts';
import { mergeSessions } from '../reading/merge-sessions.ts';
import { readFile } from '../reading/read-file.ts';
import { emptyTally } from '../reading/tally.ts';
import { Transcript } from '../reading/transcript.ts';
import { hashKey } from './entry-keys.ts';
import { type SharedEntries, startOf } from './resolve-duplicates.ts';

export async function readShared(
  { files, duplicates, redundant }: SharedEntries,
  given?: readonly LoadedFormat[],
  open?: OpenInput,
): Promise<Map<string, SessionFacts[]>> {
  const sources = new Set<string>(files.flatMap(({ sessions }) => sessions.map(({ source }) => source)));
  // Records of these formats hold parts of sessions: the files are read as one.
  const formats = given ?? (await loadFormats(({ name }) => sources.has(name)));
  const joining = formats.filter(({ name, entryKeys }) => entryKeys !== undefined && sources.has(name));
  if (joining.length > 0) {
    const ordered = files.toSorted((a, b) => startOf(a) - startOf(b) || (a.path < b.path ? -1 : 1));
    return readJoined(
      ordered.map(({ path }) => path),
      joining,
      given,
      open,
    );
  }
  const found = new Map<string, SessionFacts[]>();
  for (const { path } of files) {
    const left = duplicates.get(path);
    const isRead = !redundant.has(path);
    found.set(
      path,
      isRead ? [...(await readFile(path, { formats: given, duplicates: left, open })).sessions] : [],
    );
  }
  return mergeAcross(found);
}

async function readJoined(
  paths: readonly string[],
  joining: readonly LoadedFormat[],
  formats: readonly LoadedFormat[] | undefined,
  open: OpenInput | undefined,
): Promise<Map<string, SessionFacts[]>> {
  const names = new Set(joining.map(({ name }) => name));
  const found = new Map<string, SessionFacts[]>();
  for (const path of paths) {
    const { sessions } = await readFile(path, { formats, open });
    found.set(
      path,
      sessions.filter(({ source }) => !names.has(source)),
    );
  }
  const [owner = ''] = paths;
  for (const format of joining) {
    const { sessions, parts } = await readTogether(paths, format, open);
    const withParts = sessions.map((facts) => withFiles(facts, parts));
    found.set(owner, [...(found.get(owner) ?? []), ...withParts]);
  }
  return found;
}

/**
 * Reads files whose records are parts of the same sessions as one file: line numbers of the second continue those of
 * the first. A record in several files counts once.
 */
async function readTogether(
  paths: readonly string[],
  format: LoadedFormat,
  open: OpenInput | undefined,
): Promise<{ readonly sessions: readonly SessionFacts[]; readonly parts: readonly FilePart[] }> {
  const [owner = ''] = paths;
  const whole = new Transcript({ format, path: owner, tally: emptyTally(), name: nameOfFile(owner) });
  const parts: FilePart[] = [];
  const seen = new Set<number>();
  let after = 0;
  let last = 0;
  for (const path of paths) {
    if (path !== owner) parts.push({ path, after });
    const own: number[] = [];
    const passOn: LoadedFormat = {
      ...format,
      detect: () => true,
      entryKeys: undefined,
      alongside: undefined,
      step: (_state, record, line) => {
        last = after + line;
        const hash = hashKey(JSON.stringify(record));
        own.push(hash);
        if (!seen.has(hash)) whole.tryTake(record, last);
        return undefined;
      },
      finish: () => {},
    };
    await readFile(path, { formats: [passOn], open });
    for (const hash of own) seen.add(hash);
    after = last;
  }
  return { sessions: whole.finish(Math.max(1, last)), parts };
}

function withFiles(facts: SessionFacts, parts: readonly FilePart[]): SessionFacts {
  const last = Math.max(0, ...facts.runs.map(({ lastLine }) => lastLine));
  const files = parts.filter(({ after }) => last > after);
  return files.length === 0 ? facts : { ...facts, files };
}

/** A session in several of the files is one: it stays where it is owned, and gets what only the others have. */
function mergeAcross(found: ReadonlyMap<string, readonly SessionFacts[]>): Map<string, SessionFacts[]> {
  const home = new Map<string, string>();
  const all = [...found].flatMap(([path, sessions]) =>
    sessions.map((facts) => {
      const id = idOf(facts);
      const first = home.get(id) ?? path;
      home.set(id, first);
      return first === path ? facts : { ...facts, runs: facts.runs.map((run) => ({ ...run, file: path })) };
    }),
  );
  const byPath = Map.groupBy(mergeSessions(all, idOf), (facts) => home.get(idOf(facts)) ?? '');
  return new Map([...found.keys()].map((path) => [path, byPath.get(path) ?? []]));
}

function idOf({ source, sessionId }: SessionFacts): string {
  return `${source}\n${sessionId}`;
}
