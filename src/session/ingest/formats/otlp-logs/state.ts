/** What is remembered of a session between the events that its agent logged. */
import type { UnplacedEvent } from '../../../event.ts';

export type LoggedSession = {
  announced: boolean;
  /** Calls that have a result; those without an id are counted. */
  readonly answered: Map<string, true>;
  calls: number;
  replies: number;
  /** The last request failed, and none has got through since. */
  failed: boolean;
};

export type LogState = {
  readonly sessions: Map<string, LoggedSession>;
  /** Spans of other programs may be in the same file. */
  sawSpans?: true;
};

export type SendLogged = (event: UnplacedEvent, at?: number) => void;

export function newLoggedSession(): LoggedSession {
  return { announced: false, answered: new Map(), calls: 0, replies: 0, failed: false };
}
