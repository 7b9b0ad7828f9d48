import { AssayError } from '../../errors.ts';
import type { Events, LastReceived, ServerEvent } from '../events/hub.ts';
import { rawRoute } from '../route.ts';

/** So often a line is sent that means nothing, so that both ends notice when the other is gone. */
const BEAT_MS = 15_000;

/** How often a listener's token is checked: a revoked token stops receiving. */
const CHECK_MS = 1_000;

/** A listener with more unread bytes is disconnected; it reconnects with the last id it received. */
const MAX_WAITING = 256 * 1024;

export const EVENTS = [
  rawRoute({
    method: 'GET',
    path: '/api/v1/events',
    summary: 'Live events as server-sent events; Last-Event-ID resumes after the last received event',
    scope: 'read',
    produces: 'text/event-stream',
    handle: async ({ request, isStillAllowed }, { events, limits }) => {
      if (events.listeners >= limits.streams)
        throw new AssayError('TOO_MANY_REQUESTS', `${limits.streams} streams are open already`);
      const headers = {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      };
      // Nobody reads the stream of a HEAD request, so nothing would ever end it.
      if (request.method === 'HEAD') return new Response(null, { headers });
      return new Response(streamOf(events, lastReceived(request), isStillAllowed), { headers });
    },
  }),
];

function lastReceived(request: Request): LastReceived | undefined {
  const [, id, server] =
    /^(\d{1,16})(?:-([\da-f]{1,16}))?$/.exec(request.headers.get('last-event-id') ?? '') ?? [];
  return id === undefined ? undefined : { id: Number(id), server };
}

function streamOf(
  events: Events,
  last: LastReceived | undefined,
  isStillAllowed: () => boolean,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let end = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const send = (text: string) => {
          if ((controller.desiredSize ?? 0) < 0) end();
          else controller.enqueue(encoder.encode(text));
        };
        const beat = setInterval(() => send(':\n\n'), BEAT_MS);
        const check = setInterval(() => isStillAllowed() || end(), CHECK_MS);
        let listening = { stop: () => {} };
        end = () => {
          clearInterval(beat);
          clearInterval(check);
          listening.stop();
          end = () => {};
          try {
            controller.close();
          } catch {
            // Whoever listened is gone already.
          }
        };
        // An id without data is no event, but a listener that disconnects before the first event resumes from it.
        send(`retry: 2000\n${last === undefined ? `id: ${events.last}-${events.server}\n` : ''}\n`);
        listening = events.listen(
          { send: (event) => send(textOfEvent(event, events.server)), end: () => end() },
          last,
        );
      },
      cancel: () => end(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING }),
  );
}

function textOfEvent({ id, type, data }: ServerEvent, server: string): string {
  // JSON has no line ends outside its texts, and escapes them inside.
  return `id: ${id}-${server}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
