import { randomUUID } from 'node:crypto';
import { isIn } from '../../named-project.ts';

/**
 * Publishes events to all listeners. The latest events are buffered, so that a listener that reconnects misses none.
 */
const EVENT_TYPES = [
  'session.started',
  'session.updated',
  'session.scored',
  'run.stored',
  'alert.changed',
  'rating.saved',
  'production.recorded',
  /** Events were lost or came from other processes: listeners reload everything they show. */
  'reset',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export type ServerEvent = {
  /** When it was published, in microseconds: grows with each event, also across restarts. */
  readonly id: number;
  readonly type: EventType;
  /** Wire JSON: ids and figures, never text of a transcript. */
  readonly data: object;
  /** The project it is about; absent: only listeners of all projects get it. */
  readonly project?: string;
};

/** As routes have it: of some projects, or of all. */
export type Events = Pick<EventHub, 'last' | 'server' | 'listeners' | 'publish' | 'listen'>;

type Listener = {
  readonly send: (event: ServerEvent) => void;
  /** The server stops. */
  readonly end: () => void;
  /** Internal to the server: it does not count as a client. */
  readonly isOwn?: boolean;
};

/** The last event a listener received, and the server that sent it. */
export type LastReceived = { readonly id: number; readonly server?: string | undefined };

const BUFFERED = 1_000;
/** Servers publish the same event one after the other, and their clocks differ. */
const APART_MICROS = 30_000_000;

export class EventHub {
  readonly #listeners = new Set<Listener>();
  readonly #buffer: ServerEvent[] = [];
  readonly #now: () => Date;
  /** Of several servers over one store. */
  readonly server: string;
  #last: number;
  #began: number;

  /** Ids are times, so that those of an earlier server are smaller, and those of other servers can be compared. */
  constructor(now: () => Date, server: string = randomUUID().slice(0, 8)) {
    this.#now = now;
    this.server = server;
    this.#last = now().getTime() * 1000;
    this.#began = this.#last;
  }

  /** The id of the newest event, from which a new listener resumes. */
  get last(): number {
    return this.#last;
  }

  /** The number of connected clients. */
  get listeners(): number {
    return [...this.#listeners].filter(({ isOwn }) => isOwn !== true).length;
  }

  publish(type: EventType, data: object, project?: string): void {
    this.#last = Math.max(this.#last + 1, this.#now().getTime() * 1000);
    const event = { id: this.#last, type, data, project };
    this.#buffer.push(event);
    if (this.#buffer.length > BUFFERED) this.#began = this.#buffer.shift()?.id ?? this.#began;
    for (const { send } of this.#listeners) send(event);
  }

  /** First the events after `last`, then every new one, until `stop`. */
  listen(listener: Listener, last?: LastReceived): { readonly stop: () => void } {
    if (last !== undefined) for (const event of this.#missed(last)) listener.send(event);
    this.#listeners.add(listener);
    return { stop: () => void this.#listeners.delete(listener) };
  }

  /** Only events of these projects. A reset reveals nothing, so it is passed on. */
  scopedTo(projects: readonly string[]): Events {
    const hub = this;
    const isVisible = ({ type, project }: ServerEvent) => type === 'reset' || isIn(project, projects);
    return {
      server: hub.server,
      get last() {
        return hub.last;
      },
      get listeners() {
        return hub.listeners;
      },
      publish: (type, data, project) => hub.publish(type, data, project),
      listen: ({ send, end }, last) =>
        hub.listen({ send: (event) => void (isVisible(event) && send(event)), end }, last),
    };
  }

  close(): void {
    for (const { end } of [...this.#listeners]) end();
    this.#listeners.clear();
  }

  /** A listener that comes from another server may get events twice: the same event has the same `event_id`. */
  #missed({ id, server = this.server }: LastReceived): readonly ServerEvent[] {
    const last = server === this.server ? id : id - APART_MICROS;
    // An id in the future was published before the clock was set back.
    if (
      last < this.#began ||
      last > this.#last + APART_MICROS ||
      (server === this.server && last > this.#last)
    )
      return [{ id: this.#last, type: 'reset', data: {} }];
    return this.#buffer.filter((event) => event.id > last);
  }
}
