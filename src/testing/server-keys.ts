/** The keys of servers that tests started, by their origin. */
const keys = new Map<string, string>();

/** The address of a server without the key that stands in it; the key is remembered. */
export function withoutKey(printed: string): string {
  const url = new URL(printed);
  const key = new URLSearchParams(url.hash.slice(1)).get('key');
  if (key !== null) keys.set(url.origin, key);
  return `${url.origin}/`;
}

export function keyOf(url: string | URL): string | undefined {
  return keys.get(new URL(url).origin);
}

/** What whoever has the key sends. */
export function keyHeaders(url: string | URL): Record<string, string> {
  const key = keyOf(url);
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/** As a program that has the key asks; one that sends a token of its own, or an empty one, sends that. */
export function keyedFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const key = keyOf(url);
  if (key !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${key}`);
  return fetch(url, { ...init, headers });
}
