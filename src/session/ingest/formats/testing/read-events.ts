import { inspect } from 'node:util';
/** Reads records with a format as the product does, and checks the rules of every adapter. */
import { expect } from 'vitest';
import type { Event } from '../../../event.ts';
import type { Adapter } from '../format.ts';

export type Read = {
  readonly events: readonly (Event & { readonly session?: string })[];
  readonly unknown: readonly string[];
};

const KINDS =
  'session user reply call result spawn artifact file-change end compaction interrupt state-change acceptance person-command'.split(
    ' ',
  );

export function readLines<State>(
  format: Adapter<State>,
  records: readonly unknown[],
  path = 'sample.jsonl',
): Read {
  const events: (Event & { session?: string })[] = [];
  const unknown: string[] = [];
  const emit = (event: Event, session?: string) =>
    events.push(session === undefined ? event : { ...event, session });
  const state = format.start({ path });
  for (const [index, record] of records.entries()) {
    const type = format.step(state, record, index + 1, emit);
    if (type !== undefined) unknown.push(type);
  }
  const shown = () => inspect(state, { depth: null, maxArrayLength: null, maxStringLength: null });
  const before = shown();
  format.finish?.(state, records.length, emit);
  expect(shown()).toBe(before);
  return { events, unknown };
}

export function readDocument<State>(format: Adapter<State>, document: unknown, path = 'sample.json'): Read {
  return readLines(format, [...(format.elements?.(document, { path }) ?? [document])], path);
}

/** Kinds of the events in order, without the session announcements. */
export function kindsOf({ events }: Read): string[] {
  return events.filter(({ kind }) => kind !== 'session').map(({ kind }) => kind);
}

export function sessionsOf({ events }: Read): string[] {
  return [...new Set(events.map(({ session }) => session ?? ''))];
}

export function ofKind<K extends Event['kind']>({ events }: Read, kind: K): Extract<Event, { kind: K }>[] {
  return events.filter(
    (event): event is Extract<(typeof events)[number], { kind: K }> => event.kind === kind,
  );
}

/** How often each of them is there. */
export function countOf(values: readonly string[]): Record<string, number> {
  const found = new Map<string, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return Object.fromEntries(found);
}

export function expectWellFormed({ events }: Read): void {
  expect(events.filter((event) => !isWellFormed(event))).toEqual([]);
}

function isWellFormed(event: Event): boolean {
  const numbers = [
    event.at,
    'costUsd' in event ? event.costUsd : undefined,
    ...Object.values(('usage' in event ? event.usage : undefined) ?? {}),
  ];
  return (
    KINDS.includes(event.kind) &&
    Number.isInteger(event.line) &&
    event.line >= 1 &&
    numbers.every((number) => number === undefined || (Number.isFinite(number) && number >= 0)) &&
    (event.kind !== 'result' || (event.text ?? '').length <= 4000)
  );
}
