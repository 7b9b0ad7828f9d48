/** Asking the server. Every answer is cached with its ETag, so that only what changed is sent again. */
import { signal } from '@preact/signals';

const BASE = '/api/v1/';
/** A page that was open before shows at once. */
const CACHED_ANSWERS = 60;

export type Query = Readonly<Record<string, string | number | undefined>>;

type Answer = { readonly data: unknown; readonly etag: string | null; readonly at: number };

const answers = new Map<string, Answer>();

export function addressOf(path: string, query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== '') given.set(key, String(value));
  const text = given.toString();
  return `${BASE}${path}${text === '' ? '' : `?${text}`}`;
}

/** The last answer, where there is one: shown while a new one is on its way. */
export function cached(address: string): { readonly data: unknown; readonly at: number } | undefined {
  return answers.get(address);
}

export const VIEW_TYPE = 'application/vnd.assay.view+json';
/** Requests the same result as a view. The fragment is not sent: it separates the two answers in the cache. */
export const AS_VIEW = '#view';

let underWay = 0;
const waiting: (() => void)[] = [];

/** Waits until no other request is open: for low-priority requests. */
export async function untilQuiet(): Promise<void> {
  // Requests made at the same time have been sent by then.
  await new Promise((resolve) => setTimeout(resolve));
  while (underWay > 0) await new Promise<void>((resolve) => waiting.push(resolve));
}

export async function get<Data>(address: string, signal?: AbortSignal): Promise<Data> {
  underWay += 1;
  try {
    return await ask<Data>(address, signal);
  } finally {
    underWay -= 1;
    const resolved = underWay === 0 ? waiting.splice(0) : [];
    for (const resolve of resolved) resolve();
  }
}

async function ask<Data>(address: string, signal?: AbortSignal): Promise<Data> {
  const known = answers.get(address);
  const headers = withToken({ accept: address.endsWith(AS_VIEW) ? VIEW_TYPE : 'application/json' });
  if (known?.etag) headers['if-none-match'] = known.etag;
  const response = await fetch(address, { headers, signal });
  if (response.status === 304 && known !== undefined) {
    cache(address, { ...known, at: Date.now() });
    return known.data as Data;
  }
  if (!response.ok) throw await problemOf(response);
  const data: unknown = await response.json();
  cache(address, { data, etag: response.headers.get('etag'), at: Date.now() });
  return data as Data;
}

/** `accept`: `VIEW_TYPE` asks for the answer as people read it. */
export async function post<Data>(path: string, body: unknown, accept = 'application/json'): Promise<Data> {
  const response = await fetch(addressOf(path), {
    method: 'POST',
    headers: withToken({ accept, 'content-type': 'application/json' }),
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Problem(0, '', 'The server does not answer', 'Nothing was saved.');
  });
  if (!response.ok) throw await problemOf(response);
  return (await response.json()) as Data;
}

function cache(address: string, answer: Answer): void {
  answers.delete(address);
  answers.set(address, answer);
  const [oldest] = answers.keys();
  if (answers.size > CACHED_ANSWERS && oldest !== undefined) answers.delete(oldest);
}

/** A server on another machine needs a token, which is stored until the tab is closed. */
const TOKEN = 'assay-token';
/** On this machine the address that `assay serve` prints has a key, which every tab then has. */
const KEY = 'assay-key';

export const token = signal(takeKey() ?? sessionStorage.getItem(TOKEN) ?? localStorage.getItem(KEY) ?? '');

/** It is taken out of the address, so that nobody copies it with a link. */
function takeKey(): string | undefined {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return undefined;
  localStorage.setItem(KEY, key);
  sessionStorage.removeItem(TOKEN);
  history.replaceState(history.state, '', location.pathname + location.search);
  return key;
}

/** The server needs a token, or refused the current one. */
export const isTokenNeeded = signal(false);

export function storeToken(value: string): void {
  token.value = value.trim();
  sessionStorage.setItem(TOKEN, token.value);
}

export function withToken(headers: Record<string, string> = {}): Record<string, string> {
  return token.value === '' ? headers : { ...headers, authorization: `Bearer ${token.value}` };
}

/** An error as the server words it (RFC 9457), or as this page words it where the server said nothing. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;

  constructor(status: number, code: string, title: string, detail: string) {
    super(title);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  const text = (key: string): string | undefined => {
    const value = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return new Problem(
    response.status,
    text('code') ?? '',
    text('title') ?? `The server answered ${response.status}`,
    text('detail') ?? '',
  );
}

export function asProblem(fault: unknown): Problem {
  if (fault instanceof Problem) return fault;
  return new Problem(
    0,
    '',
    'The server does not answer',
    'It may have been stopped; start it with the command below.',
  );
}
