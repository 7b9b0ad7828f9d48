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
  /** Grows from event to event, also over a restart. */
  readonly id: number;
  readonly type: EventType;
  /** Wire JSON: ids and figures, never text of a transcript. */
  readonly data: object;
  /** Whose it is about; absent: nobody's, and heard only by those who hear everything. */
  readonly project?: string;
};

/** As routes have it: of some projects, or of all. */
export type Events = Pick<EventHub, 'last' | 'listeners' | 'publish' | 'listen'>;

type Listener = {
  readonly tell: (event: ServerEvent) => void;
  /** The server stops. */
  readonly end: () => void;
};

const KEPT = 1_000;

export class EventHub {
  readonly #listeners = new Set<Listener>();
  readonly #kept: ServerEvent[] = [];
  #last: number;

  /** Ids begin with the time, in microseconds, so that those of an earlier server are smaller. */
  constructor(now: Date) {
    this.#last = now.getTime() * 1000;
  }

  /** Of the newest event: who begins to listen now has missed nothing up to it. */
  get last(): number {
    return this.#last;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  publish(type: EventType, data: object, project?: string): void {
    this.#last += 1;
    const event = { id: this.#last, type, data, ...(project !== undefined && { project }) };
    this.#kept.push(event);
    if (this.#kept.length > KEPT) this.#kept.shift();
    for (const { tell } of this.#listeners) tell(event);
  }

  /** First what came after `last`, where the listener says what it heard last; then everything new, until `stop`. */
  listen(listener: Listener, last?: number): { readonly stop: () => void } {
    if (last !== undefined) for (const event of this.#missed(last)) listener.tell(event);
    this.#listeners.add(listener);
    return { stop: () => void this.#listeners.delete(listener) };
  }

  /** For those who see some projects: what is about others is not told. That all is to be asked for again says nothing. */
  seenBy(projects: readonly string[]): Events {
    const hub = this;
    const isHeard = ({ type, project }: ServerEvent) => type === 'reset' || isIn(project, projects);
    return {
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

  #missed(last: number): readonly ServerEvent[] {
    const oldest = this.#kept[0]?.id ?? this.#last + 1;
    // One that is yet to come was told by another server, or before the clock was set back.
    if (last + 1 < oldest || last > this.#last) return [{ id: this.#last, type: 'reset', data: {} }];
    return this.#kept.filter(({ id }) => id > last);
  }
}
