/** On another machine than this one the server asks for a token; it is kept until the tab is closed. */
import { signal } from '@preact/signals';

const KEY = 'assay-token';

export const token = signal(sessionStorage.getItem(KEY) ?? '');

/** The server wants to know who asks, and what it was told was not enough. */
export const isTokenNeeded = signal(false);

export function keepToken(value: string): void {
  token.value = value.trim();
  sessionStorage.setItem(KEY, token.value);
}

export function withToken(headers: Record<string, string> = {}): Record<string, string> {
  return token.value === '' ? headers : { ...headers, authorization: `Bearer ${token.value}` };
}
