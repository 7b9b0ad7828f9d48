/**
 * What happens on the server, as it happens. One stream for the whole page; it is opened again when it breaks, from the
 * last event that came (`Last-Event-ID`). Read with `fetch`, because an `EventSource` cannot carry a token.
 */
import { signal } from '@preact/signals';
import { asProblem, isTokenNeeded, problemOf, withToken } from './client.ts';
import { readEvents } from './read-events.ts';

export type LiveEvent = { readonly id: string; readonly name: string; readonly data: unknown };

/** `closed`: the server said no, and asking again would not change that. */
export const connection = signal<'connecting' | 'live' | 'lost' | 'closed'>('connecting');

/** When the stream broke: the page is up to date until then. */
export const liveUntil = signal<number | undefined>(undefined);

/** Events were missed, so everything shown may be outdated. */
const RESET = 'reset';
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

const listeners = new Set<{
  readonly names: readonly string[];
  readonly handle: (event: LiveEvent) => void;
}>();
let last = '';

export function onEvent(names: readonly string[], handle: (event: LiveEvent) => void): () => void {
  const listener = { names: [...names, RESET], handle };
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function tell(event: LiveEvent): void {
  if (event.id !== '') last = event.id;
  for (const { names, handle } of listeners) if (names.includes(event.name)) handle(event);
}

/** Runs as long as the page is open. */
export async function listen(): Promise<void> {
  let wait = FIRST_WAIT_MS;
  let wasLost = false;
  for (;;) {
    try {
      const headers = withToken({ accept: 'text/event-stream' });
      if (last !== '') headers['last-event-id'] = last;
      const response = await fetch('/api/v1/events', { headers, cache: 'no-store' });
      if (!response.ok || response.body === null) throw await problemOf(response);
      connection.value = 'live';
      liveUntil.value = undefined;
      wait = FIRST_WAIT_MS;
      if (wasLost && last === '') tell({ id: '', name: RESET, data: undefined });
      for await (const event of readEvents(response.body)) tell(event);
    } catch (fault) {
      const { status } = asProblem(fault);
      if (status >= 400 && status < 500 && status !== 429) {
        connection.value = 'closed';
        isTokenNeeded.value = status === 401;
        return;
      }
    }
    wasLost = true;
    connection.value = 'lost';
    liveUntil.value ??= Date.now();
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}
