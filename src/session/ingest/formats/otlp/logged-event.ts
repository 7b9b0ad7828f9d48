/** Log records of agents about themselves: which agent, which session, what. */
import { asId, type asObject, asText } from '../../json/json-fields.ts';
import { type Attributes, attributesOf, plainValue } from './attributes.ts';
import { rawLogs } from './log-record.ts';
import { type RawLog, timeOf } from './span.ts';

export type LoggedEvent = {
  readonly agent: 'claude-code' | 'codex' | 'gemini-cli' | 'qwen-code';
  readonly session: string;
  /** Without the agent's name before it. */
  readonly name: string;
  readonly at: number | undefined;
  /** Counts the events of a session, where the agent does. */
  readonly sequence: number;
  readonly attributes: Attributes;
};

const NAME = /^(claude_code|codex|gemini_cli|qwen-code)\.([a-z_.]+)$/;
const AGENTS: Readonly<Record<string, LoggedEvent['agent']>> = {
  claude_code: 'claude-code',
  codex: 'codex',
  gemini_cli: 'gemini-cli',
  'qwen-code': 'qwen-code',
};

/** In the order in which they happened; undefined: this holds no log records. */
export function loggedEvents(record: unknown): LoggedEvent[] | undefined {
  const events = rawLogs(record)?.flatMap((raw) => loggedEvent(raw) ?? []);
  return events?.sort(byTime);
}

function byTime(a: LoggedEvent, b: LoggedEvent): number {
  return (a.at ?? 0) - (b.at ?? 0) || a.sequence - b.sequence;
}

/** `isCodex`: only events of Codex, or only those of other agents. */
export function holdsLogged(record: unknown, isCodex?: boolean): boolean {
  const events = loggedEvents(record) ?? [];
  return events.some(({ agent }) => isCodex === undefined || isCodex === (agent === 'codex'));
}

export function loggedEvent({ log, resource }: RawLog): LoggedEvent | undefined {
  const attributes = attributesOf(log.attributes);
  // Claude Code puts the name in the body only, Codex in the attribute only.
  const names = [attributes.get('event.name'), plainValue(log.body), log.eventName ?? log.event_name];
  const [, prefix, name] = names.flatMap((one) => NAME.exec(asText(one) ?? '') ?? []);
  const agent = prefix === undefined ? undefined : AGENTS[prefix];
  const stated = ['session.id', 'conversation.id'].map((key) => attributes.get(key));
  const session = asId(stated[0] ?? stated[1] ?? attributesOf(resource).get('session.id'));
  if (agent === undefined || name === undefined || session === undefined) return undefined;
  return {
    agent,
    session,
    name,
    attributes,
    at: momentOf(log, attributes),
    sequence: sequenceOf(attributes),
  };
}

/** Codex leaves the time of the record at 0. */
function momentOf(log: NonNullable<ReturnType<typeof asObject>>, attributes: Attributes): number | undefined {
  const stated = asText(attributes.get('event.timestamp'));
  const parsed = stated === undefined ? Number.NaN : Date.parse(stated);
  if (Number.isFinite(parsed)) return parsed;
  const [own, observed] = [log.timeUnixNano ?? log.time_unix_nano, log.observedTimeUnixNano];
  return timeOf(own === '0' || own === 0 ? observed : (own ?? observed));
}

function sequenceOf(attributes: Attributes): number {
  const sequence = attributes.get('event.sequence');
  return typeof sequence === 'number' ? sequence : 0;
}
