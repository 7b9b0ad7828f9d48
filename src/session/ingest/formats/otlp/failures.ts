/**
 * Which spans failed, and which merely tell of it. A failure travels: an exception passes through the spans above, and
 * some exporters mark every span that ends after a failed tool. Only where it happened is it a failure.
 */
import { hasFailed, roleOf } from './facts.ts';
import type { OtlpSpan } from './span.ts';

export type Failures = {
  /** The spans; those that only repeat what another one failed of are as if nothing had happened. */
  readonly spans: readonly OtlpSpan[];
  /** Spans that failed because one below them did. */
  readonly passedOn: ReadonlySet<string>;
};

const MAX_HOPS = 100;
/** Starts are often cut to whole milliseconds, ends are not. */
const CUT = 1;

export function tellFailures(spans: readonly OtlpSpan[]): Failures {
  const failing = spans.filter(hasFailed);
  if (failing.length === 0) return { spans, passedOn: new Set() };
  const origins = new Map<string, OtlpSpan>();
  for (const span of failing) {
    const id = `${span.traceId} ${span.statusText}`;
    if (span.statusText === '' || !hasException(span)) continue;
    const known = origins.get(id);
    if (known === undefined || endOf(span) < endOf(known)) origins.set(id, span);
  }
  const chats = spans.filter((span) => roleOf(span) === 'chat');
  const repeats = new Set(
    failing.filter((span) => {
      const origin = origins.get(`${span.traceId} ${span.statusText}`);
      return origin !== undefined && !hasException(span) && isLater(span, origin, chats);
    }),
  );
  return {
    spans: repeats.size === 0 ? spans : spans.map((span) => (repeats.has(span) ? unfailed(span) : span)),
    passedOn: passedOn(
      spans,
      failing.filter((span) => !repeats.has(span)),
    ),
  };
}

function hasException({ events }: OtlpSpan): boolean {
  return events.some(({ name }) => name === 'exception');
}

function endOf({ start, end }: OtlpSpan): number {
  return end ?? start ?? 0;
}

/** It began after the failure was over, or went on after it: a model was asked again before it ended. */
function isLater(span: OtlpSpan, origin: OtlpSpan, chats: readonly OtlpSpan[]): boolean {
  const over = Math.floor(endOf(origin));
  if ((span.start ?? 0) >= over) return true;
  return chats.some(
    (chat) => chat.traceId === span.traceId && (chat.start ?? 0) >= over && endOf(chat) <= endOf(span) + CUT,
  );
}

function unfailed(span: OtlpSpan): OtlpSpan {
  const attributes = new Map(span.attributes);
  attributes.delete('error.type');
  return { ...span, status: 'unset', statusText: '', attributes };
}

function passedOn(spans: readonly OtlpSpan[], failing: readonly OtlpSpan[]): Set<string> {
  const parents = new Map(spans.map(({ spanId, parentId }) => [spanId, parentId]));
  const failed = new Set(failing.map(({ spanId }) => spanId));
  const above = new Set<string>();
  for (const span of failing) {
    let id = span.parentId;
    for (let hop = 0; id !== undefined && !above.has(id) && hop < MAX_HOPS; hop += 1) {
      above.add(id);
      id = parents.get(id);
    }
  }
  return new Set([...above].filter((id) => failed.has(id)));
}
