/** Finds pages, saved views and sessions by name or title. `Ctrl K` or `⌘ K`. */
import { useEffect, useState } from 'preact/hooks';
import type { ListedSession, PageOf } from '../api/shapes.ts';
import { useResource } from '../api/use-resource.ts';
import { savedViews } from '../pages/sessions/saved-views.ts';
import { sessionName } from '../pages/sessions/session-filters.ts';
import { go } from '../router/location.ts';
import { PLACES, SECTIONS } from '../routes.ts';
import { Dialog } from './dialog.tsx';
import { chooseTheme, open, THEMES } from './theme.ts';

type Entry = { readonly kind: string; readonly name: string; readonly run: () => void };

const SHOWN = 12;
const SESSIONS_FOUND = 6;
const SEARCH_AFTER_MS = 150;

/** Without words only the sections: the list is for a look, not for reading. */
function fixedEntries(words: string): readonly Entry[] {
  return [
    ...SECTIONS.map(({ path, name }) => ({ kind: 'page', name, run: () => go(path) })),
    { kind: 'page', name: 'Calibration', run: () => go('/calibration') },
    ...(words === '' ? [] : PLACES).map(({ path, name }) => ({ kind: 'page', name, run: () => go(path) })),
    ...savedViews.value.map(({ name, query }) => ({
      kind: 'view',
      name,
      run: () => go(`/sessions?${query}`),
    })),
    ...THEMES.map((theme) => ({ kind: 'theme', name: `Theme: ${theme}`, run: () => chooseTheme(theme) })),
    {
      kind: 'help',
      name: 'Keys',
      run: () => {
        open.value = 'keys';
      },
    },
  ];
}

export function Palette() {
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open.value = 'palette';
    };
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, []);
  return open.value === 'palette' ? <OpenPalette /> : null;
}

function OpenPalette() {
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState(0);
  const found = useSessions(words);
  const asked = words.trim().toLowerCase();
  const fixed = fixedEntries(asked).filter(({ name }) => name.toLowerCase().includes(asked));
  const entries = [...fixed, ...found].slice(0, SHOWN);
  const active = Math.min(chosen, entries.length - 1);
  const close = () => {
    if (open.value === 'palette') open.value = undefined;
  };
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    open.value = undefined;
    entry.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') run(entries[active]);
    else if (event.key === 'ArrowDown') setChosen((active + 1) % Math.max(1, entries.length));
    else if (event.key === 'ArrowUp') setChosen((active + entries.length - 1) % Math.max(1, entries.length));
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label="Find a page or a session" onClose={close}>
      <input
        class="palette-field"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries.length > 0 ? `palette-${active}` : undefined}
        aria-label="Find a page or a session"
        placeholder="Find a page, a session, a saved view"
        value={words}
        onInput={({ currentTarget }) => {
          setWords(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Found">
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and its keys choose.
          // biome-ignore lint/a11y/useFocusableInteractive: the field above has the focus and its keys choose.
          <div
            key={`${entry.kind} ${entry.name} ${index}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={() => run(entry)}
          >
            <span class="cut">{entry.name}</span> <span class="faint">{entry.kind}</span>
          </div>
        ))}
      </div>
      {entries.length === 0 && <p class="sub">Nothing has this name.</p>}
    </Dialog>
  );
}

/** Asked for when the reader stops typing for a moment. */
function useSessions(words: string): readonly Entry[] {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words.trim()), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [words]);
  const { data } = useResource<PageOf<ListedSession>>(asked.length < 2 ? undefined : 'sessions', {
    search: asked,
    limit: SESSIONS_FOUND,
  });
  return (data?.items ?? []).map((one) => ({
    kind: 'session',
    name: sessionName(one),
    run: () => go(`/sessions/${encodeURIComponent(one.session_key)}`),
  }));
}
