/** What stands around every page: the rail, the palette, the hints. */
import { AgentNames } from '../api/agent-names.ts';
import type { Alert, PageOf } from '../api/shapes.ts';
import { isTokenNeeded } from '../api/token.ts';
import { useResource } from '../api/use-resource.ts';
import { go, place } from '../router/location.ts';
import { Outlet, routeOf } from '../router/outlet.tsx';
import { SECTIONS } from '../routes.ts';
import { Hints } from './hints.tsx';
import { useKeys } from './keys.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { open } from './open.ts';
import { Palette } from './palette.tsx';
import { chooseTheme, THEMES, theme } from './theme.ts';
import { TokenForm } from './token-form.tsx';

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

/** How many wait for somebody. */
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
