import { randomUUID } from 'node:crypto';
import { isIn } from '../../named-project.ts';

/** What happens, told to whoever listens. The last events are kept, so that a listener who was away a moment misses none. */
const EVENT_TYPES = [
  'session.started',
  'session.updated',
  'session.scored',
  'run.stored',
  'alert.changed',
  'rating.saved',
  'production.recorded',
  /** What was missed, or what others wrote, cannot be told one by one: everything shown should be asked for again. */
  'reset',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export type ServerEvent = {
  /** When it was told, in microseconds: grows from event to event, also over a restart. */
  readonly id: number;
  readonly type: EventType;
  /** Wire JSON: ids and figures, never text of a transcript. */
  readonly data: object;
  /** Whose it is about; absent: nobody's, and heard only by those who hear everything. */
  readonly project?: string;
};

/** As routes have it: of some projects, or of all. */
export type Events = Pick<EventHub, 'last' | 'server' | 'listeners' | 'publish' | 'listen'>;

type Listener = {
  readonly tell: (event: ServerEvent) => void;
  /** The server stops. */
  readonly end: () => void;
  /** A part of the server: it takes nobody's place. */
  readonly isOwn?: boolean;
};

/** What a listener heard last: the event, and the server that told it. */
export type LastHeard = { readonly id: number; readonly server?: string | undefined };

const KEPT = 1_000;
/** Servers hear of the same thing one after the other, and their clocks are apart. */
const APART_MICROS = 30_000_000;

export class EventHub {
  readonly #listeners = new Set<Listener>();
  readonly #kept: ServerEvent[] = [];
  readonly #now: () => Date;
  /** Of several servers over one store. */
  readonly server: string;
  #last: number;
  #began: number;

  /** Ids are times, so that those of an earlier server are smaller, and those of others say when that was. */
  constructor(now: () => Date, server: string = randomUUID().slice(0, 8)) {
    this.#now = now;
    this.server = server;
    this.#last = now().getTime() * 1000;
    this.#began = this.#last;
  }

  /** Of the newest event: who begins to listen now has missed nothing up to it. */
  get last(): number {
    return this.#last;
  }

  /** Who listens from outside. */
  get listeners(): number {
    return [...this.#listeners].filter(({ isOwn }) => isOwn !== true).length;
  }

  publish(type: EventType, data: object, project?: string): void {
    this.#last = Math.max(this.#last + 1, this.#now().getTime() * 1000);
    const event = { id: this.#last, type, data, project };
    this.#kept.push(event);
    if (this.#kept.length > KEPT) this.#began = this.#kept.shift()?.id ?? this.#began;
    for (const { tell } of this.#listeners) tell(event);
  }

  /** First what came after `last`, where the listener says what it heard last; then everything new, until `stop`. */
  listen(listener: Listener, last?: LastHeard): { readonly stop: () => void } {
    if (last !== undefined) for (const event of this.#missed(last)) listener.tell(event);
    this.#listeners.add(listener);
    return { stop: () => void this.#listeners.delete(listener) };
  }

  /** For those who see some projects: what is about others is not told. That all is to be asked for again says nothing. */
  seenBy(projects: readonly string[]): Events {
    const hub = this;
    const isHeard = ({ type, project }: ServerEvent) => type === 'reset' || isIn(project, projects);
    return {
      server: hub.server,
      get last() {
        return hub.last;
      },
      get listeners() {
        return hub.listeners;
      },
      publish: (type, data, project) => hub.publish(type, data, project),
      listen: ({ tell, end }, last) =>
        hub.listen({ tell: (event) => void (isHeard(event) && tell(event)), end }, last),
    };
  }

  close(): void {
    for (const { end } of [...this.#listeners]) end();
    this.#listeners.clear();
  }

  /** Who heard another server is told again what that one may have told before: the same event has the same `event_id`. */
  #missed({ id, server = this.server }: LastHeard): readonly ServerEvent[] {
    const last = server === this.server ? id : id - APART_MICROS;
    // One that is yet to come was told before the clock was set back.
    if (
      last < this.#began ||
      last > this.#last + APART_MICROS ||
      (server === this.server && last > this.#last)
    )
      return [{ id: this.#last, type: 'reset', data: {} }];
    return this.#kept.filter((event) => event.id > last);
  }
}
