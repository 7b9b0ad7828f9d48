/** The frame around every page: the rail, the palette, the hints. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { isTokenNeeded, storeToken, token } from '../api/client.ts';
import type { Alert, PageOf } from '../api/shapes.ts';
import { AgentNames, useResource } from '../api/use-resource.ts';
import { Page } from '../parts/page.tsx';
import { Command } from '../parts/states.tsx';
import { go, place } from '../router/location.ts';
import { Outlet, routeOf } from '../router/outlet.tsx';
import { SECTIONS } from '../routes.ts';
import { Dialog } from './dialog.tsx';
import { useKeys } from './keys.ts';
import { Palette } from './palette.tsx';
import { chooseTheme, open, THEMES, theme } from './theme.ts';

/** Second letters after `g`. */
const GO: Readonly<Record<string, string>> = {
  o: '/',
  s: '/sessions',
  d: '/decomposition',
  w: '/workflow',
  a: '/alerts',
  c: '/calibration',
};
let afterG = 0;
const CHORD_MS = 1200;

function pressed(key: string): void {
  if (performance.now() - afterG < CHORD_MS && GO[key] !== undefined) go(GO[key]);
  afterG = 0;
}

export function Shell() {
  useKeys({
    '?': () => {
      open.value = 'keys';
    },
    '/': (event) => {
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>('[data-search]');
      if (field === null) open.value = 'palette';
      else field.focus();
    },
    g: () => {
      afterG = performance.now();
    },
    ...Object.fromEntries(Object.keys(GO).map((key) => [key, () => pressed(key)])),
  });
  const section = routeOf(place.value.path)?.route.section;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <div class="app">
        <Rail section={section} />
        <main id="main" tabIndex={-1}>
          {isTokenNeeded.value ? (
            <TokenForm />
          ) : (
            <>
              <AgentNames />
              <Outlet />
            </>
          )}
        </main>
      </div>
      <Palette />
      <KeysDialog />
      <Hints />
    </>
  );
}

/** The number of open alerts. */
function OpenAlerts() {
  const { data } = useResource<PageOf<Alert>>('alerts', { state: 'open' }, ['alert.changed', 'run.stored']);
  const open = data?.items.length ?? 0;
  if (open === 0) return null;
  return (
    <span class="count">
      {open}
      {data?.next === null ? '' : '+'}
      <span class="unseen"> open</span>
    </span>
  );
}

function Rail({ section }: { readonly section: string | undefined }) {
  return (
    <header class="rail">
      <a class="brand" href="/">
        Assay
      </a>
      <nav aria-label="Pages">
        {SECTIONS.map(({ path, name }) => (
          <a key={path} href={path} aria-current={path === section ? 'page' : undefined}>
            {name} {path === '/alerts' && <OpenAlerts />}
          </a>
        ))}
      </nav>
      <div class="rail-foot">
        <button
          type="button"
          class="quiet"
          onClick={() => {
            open.value = 'palette';
          }}
        >
          Search <kbd>Ctrl K</kbd>
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            open.value = 'keys';
          }}
        >
          Keys <kbd>?</kbd>
        </button>
        <label class="quiet">
          Theme{' '}
          <select
            value={theme.value}
            onChange={({ currentTarget }) =>
              chooseTheme(THEMES.find((one) => one === currentTarget.value) ?? 'system')
            }
          >
            {THEMES.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </div>
    </header>
  );
}

const KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl K or ⌘ K', 'find a page, a session, a saved view'],
  ['/', 'search on this page'],
  ['j  k', 'next and previous row of a table'],
  ['Enter', 'open the row'],
  ['g then o s d w a c', 'go to overview, sessions, decomposition, workflow, alerts, calibration'],
  ['Escape', 'close what is open'],
  ['?', 'this list'],
];

function KeysDialog() {
  if (open.value !== 'keys') return null;
  return (
    <Dialog
      label="Keys"
      onClose={() => {
        // Another dialog may be open by then.
        if (open.value === 'keys') open.value = undefined;
      }}
    >
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** The server needs its key, or a token. */
function TokenForm() {
  return (
    <Page title="This server asks who you are">
      <form
        class="stack narrow"
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget).get('token');
          if (typeof given === 'string' && given.trim() !== '') {
            storeToken(given);
            location.reload();
          }
        }}
      >
        {token.value !== '' && (
          <p role="alert">
            <span class="tone-bad">✗</span> The token was not accepted: it may have expired or been revoked.
          </p>
        )}
        <label class="field">
          Token
          <input name="token" type="password" autocomplete="off" required />
        </label>
        <p class="sub">
          On this machine, open the address that <code>assay serve</code> printed instead. A token is stored
          until this tab is closed. Whoever runs the server makes one with
        </p>
        <Command text="assay token create --scope read" />
        <button type="submit" class="primary">
          Open the dashboard
        </button>
      </form>
    </Page>
  );
}

/**
 * Words that are shown on demand: whatever has `data-hint` says them when it is pointed at or focused. One element for
 * the whole page, so that no table cuts it off; the words are only ever text.
 */
type Shown = { readonly text: string; readonly x: number; readonly y: number; readonly above: boolean };

const GAP = 8;
const WIDTH = 320;

function hintOf(
  target: EventTarget | null,
): { readonly element: Element; readonly text: string } | undefined {
  const element = target instanceof Element ? target.closest('[data-hint]') : null;
  const text = element?.getAttribute('data-hint');
  return element === null || text === null || text === undefined || text === ''
    ? undefined
    : { element, text };
}

function Hints() {
  const [shown, setShown] = useState<Shown>();
  const over = useRef<Element | undefined>(undefined);
  useEffect(() => {
    const show = (event: Event) => {
      const hint = hintOf(event.target);
      if (hint === undefined) {
        over.current = undefined;
        return setShown(undefined);
      }
      if (over.current === hint.element) return;
      over.current = hint.element;
      const box = hint.element.getBoundingClientRect();
      const above = box.bottom > innerHeight - 120;
      const x = Math.max(GAP, Math.min(box.left, innerWidth - WIDTH - GAP));
      setShown({ text: hint.text, x, y: above ? innerHeight - box.top + GAP : box.bottom + GAP, above });
    };
    const hide = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== 'Escape') return;
      over.current = undefined;
      setShown(undefined);
    };
    document.addEventListener('pointerover', show);
    document.addEventListener('focusin', show);
    document.addEventListener('keydown', hide);
    addEventListener('scroll', hide, true);
    return () => {
      document.removeEventListener('pointerover', show);
      document.removeEventListener('focusin', show);
      document.removeEventListener('keydown', hide);
      removeEventListener('scroll', hide, true);
    };
  }, []);
  if (shown === undefined) return null;
  const at = shown.above ? { bottom: `${shown.y}px` } : { top: `${shown.y}px` };
  return (
    <div class="hint-box" role="tooltip" style={{ left: `${shown.x}px`, ...at }}>
      {shown.text}
    </div>
  );
}
