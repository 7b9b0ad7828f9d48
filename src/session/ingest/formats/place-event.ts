import type { Event, UnplacedEvent } from '../../event.ts';

/** Where an event stands in its file, and when it happened. */
export type EventPlace = { readonly line: number; readonly at?: number | undefined };

export function placeEvent(event: UnplacedEvent, { line, at }: EventPlace): Event {
  return (at === undefined ? { ...event, line } : { ...event, line, at }) as Event;
}
