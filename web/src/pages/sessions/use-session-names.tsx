import { useEffect, useState } from 'preact/hooks';
import type { Row } from '../../../../src/report/view.ts';
import { addressOf, get } from '../../api/client.ts';
import type { SessionNames } from '../../api/shapes.ts';
import type { ViewOptions } from '../../parts/text-table.tsx';
import { sessionName, shortName } from './session-filters.ts';

/** The number of names per request. */
const AT_ONCE = 50;

type Names = ReadonlyMap<string, SessionNames['items'][number]>;

/** Names of sessions by key, as far as they are loaded. */
export function useSessionNames(keys: readonly string[] | undefined): Names {
  const [names, setNames] = useState<Names>(new Map());
  const wanted = keys?.join(',') ?? '';
  useEffect(() => {
    const abort = new AbortController();
    void askFor(wanted === '' ? [] : wanted.split(','), abort.signal, (items) =>
      setNames((before) => new Map([...before, ...items.map((one) => [one.session_key, one] as const)])),
    );
    return () => abort.abort();
  }, [wanted]);
  return names;
}

/** A page without names says as much as before: what cannot be asked is no fault of it. */
async function askFor(
  keys: readonly string[],
  signal: AbortSignal,
  tell: (items: SessionNames['items']) => void,
): Promise<void> {
  try {
    for (let from = 0; from < keys.length; from += AT_ONCE) {
      const some = keys.slice(from, from + AT_ONCE).join(',');
      const { items } = await get<SessionNames>(
        addressOf('sessions/names', { keys: some, titles: 'true' }),
        signal,
      );
      if (!signal.aborted) tell(items);
    }
  } catch {
    return;
  }
}

/** What was asked; else where and when it began, with the beginning of its id. */
function nameIn(names: Names, key: string, id: string): string {
  const known = names.get(key);
  if (known === undefined || known.title !== null)
    return sessionName({ title: null, ...known, session_id: id });
  const { project, started_at } = known;
  const parts = [
    project === null ? undefined : shortName(project),
    started_at === null ? undefined : started_at.slice(0, 16).replace('T', ' '),
    id.slice(0, 8),
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** Shows sessions under their names, as links, in the column that has their ids. */
export function namedSession(names: Names, column: string): Pick<ViewOptions, 'show' | 'href'> {
  const href = ({ session_key }: Row) =>
    session_key === undefined ? undefined : `/sessions/${encodeURIComponent(String(session_key))}`;
  return {
    href,
    show: {
      [column]: (row) => (
        <div class="what">
          <a class="cut" href={href(row)}>
            {nameIn(names, String(row.session_key), String(row[column]))}
          </a>
        </div>
      ),
    },
  };
}
