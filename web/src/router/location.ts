/** Where the reader is: the path and the query of the address. Every view can be linked. */
import { signal } from '@preact/signals';

export type Place = { readonly path: string; readonly query: URLSearchParams };

export const place = signal<Place>(placeNow());

function placeNow(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', to);
  else history.replaceState(null, '', to);
  place.value = placeNow();
}

/** The same page with other query values; empty ones are dropped. */
export function withQuery(change: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(place.value.query);
  for (const [key, value] of Object.entries(change))
    if (value === undefined || value === '') query.delete(key);
    else query.set(key, value);
  const text = query.toString();
  return `${place.value.path}${text === '' ? '' : `?${text}`}`;
}

/** A choice on a page replaces the address: going back leaves the page instead of undoing choices one by one. */
export function choose(change: Readonly<Record<string, string | undefined>>): void {
  go(withQuery(change), 'replace');
}

/** Links within the dashboard change the page without loading it again; any other click is the browser's. */
function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || to.pathname.startsWith('/api/')) return;
  if (to.hash !== '' && to.pathname === location.pathname) return;
  event.preventDefault();
  go(`${to.pathname}${to.search}${to.hash}`);
}

export function startRouter(): void {
  document.addEventListener('click', follow);
  addEventListener('popstate', () => {
    place.value = placeNow();
  });
}
