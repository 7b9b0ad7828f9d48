/** First requests of sessions, read from their transcripts again on demand; not stored. */
import type { Event } from '../../event.ts';
import type { OpenInput } from '../files/open-input.ts';
import type { Environment } from '../formats/format.ts';
import { readFile } from '../reading/read-file.ts';
import { titleOf } from './title.ts';

type Heard = {
  title?: string | undefined;
  /** A command of the program alone (`/review`): a title only where nothing else was asked. */
  command?: string | undefined;
};

/**
 * Session id → its first request, for sessions of one file. A file of lines is read only until all of them are known. A
 * missing or unreadable file has none.
 */
export async function readTitles(
  path: string,
  sessionIds: readonly string[],
  environment: Environment,
  open?: OpenInput,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, Heard>();
  const all = new Set<Heard>();
  const isKnown = (id: string) => names.get(id)?.title !== undefined;
  // A file with one session may not name it, or only at its end.
  const hasNoIds = () =>
    sessionIds.length === 1 && names.size === 0 && [...all].every(({ title }) => title !== undefined);
  const enough = () => sessionIds.every(isKnown) || hasNoIds();
  const listen = () => {
    const bySession = new Map<string, Heard>();
    return (event: Event, session = '') => {
      const heard = bySession.get(session) ?? {};
      bySession.set(session, heard);
      all.add(heard);
      if (session !== '' && !isKnown(session)) names.set(session, heard);
      if (event.kind === 'session' && event.sessionId !== undefined && !isKnown(event.sessionId))
        names.set(event.sessionId, heard);
      if (event.kind === 'user' && event.origin !== 'runtime') take(heard, titleOf(event.text, environment));
    };
  };
  try {
    await readFile(path, { listen, enough, open });
  } catch {
    return new Map();
  }
  return new Map(
    sessionIds.flatMap((id) => {
      const title = titleIn(names.get(id)) ?? (sessionIds.length === 1 ? onlyTitle(all) : undefined);
      return title === undefined ? [] : [[id, title]];
    }),
  );
}

function take(heard: Heard, title: string | undefined): void {
  if (title !== undefined && /^\/\S+$/.test(title)) heard.command ??= title;
  else heard.title ??= title;
}

function titleIn(heard: Heard | undefined): string | undefined {
  return heard?.title ?? heard?.command;
}

function onlyTitle(all: ReadonlySet<Heard>): string | undefined {
  const [only, ...others] = all;
  return others.length === 0 ? titleIn(only) : undefined;
}
