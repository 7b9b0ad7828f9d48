/** What a moment of a span knows of what is around it, and how it tells what happened. */
import type { Event } from '../../../event.ts';
import { defined } from '../../json/json-fields.ts';
import type { Emit } from '../format.ts';
import type { Lineage } from './lineage.ts';
import type { SessionMemory } from './session.ts';
import type { OtlpSpan } from './span.ts';
import type { AskedCall } from './tool-calls.ts';

/** What is known when a moment comes. */
export type Surroundings = {
  readonly memory: SessionMemory;
  readonly lineage: Lineage;
  /** All spans there are have been learnt: a parent nobody knows will not come. */
  readonly complete: boolean;
  /** Spans of tools → the calls that asked for them. */
  readonly calls: ReadonlyMap<string, AskedCall>;
  /** Spans that count as a call though they are none of a tool. */
  readonly steps: ReadonlySet<string>;
  readonly emit: Emit;
};

/** An agent that ended while the spans above it had not come. Plain JSON: it is part of the state. */
export type Orphan = {
  readonly spanId: string;
  readonly parentId: string;
  readonly agent?: string;
  readonly session: string;
  readonly end: Extract<Event, { kind: 'end' }>;
};

export type WithoutPlace<E> = E extends unknown ? Omit<E, 'line' | 'at'> : never;

export type MomentContext = Omit<Surroundings, 'emit'> & {
  readonly span: OtlpSpan;
  readonly session: string;
  readonly at: { readonly line: number; readonly at?: number };
  readonly tell: (event: WithoutPlace<Event>, session?: string) => void;
};
export type Happening = (context: MomentContext) => Orphan[];

export function contextOf(
  span: OtlpSpan,
  session: string,
  time: number | undefined,
  { emit, ...rest }: Surroundings,
): MomentContext {
  const at = { line: span.line, ...defined({ at: time === undefined ? undefined : Math.round(time) }) };
  return {
    ...rest,
    span,
    session,
    at,
    tell: (event, where = session) => emit({ ...event, ...at } as Event, where),
  };
}
