/** The words of the neutral format, each list once for the reader and the schema. */
import type { ArtifactKind, EndReason, ReplyEvent, Trigger, UserEvent } from '../../../event.ts';

export const TRIGGERS = [
  'user',
  'cron',
  'heartbeat',
  'subagent',
  'hook',
  'unknown',
] as const satisfies Trigger[];
export const ORIGINS = [
  'user',
  'cron',
  'heartbeat',
  'subagent',
  'hook',
  'runtime',
] as const satisfies UserEvent['origin'][];
export const STOPS = ['end', 'tool', 'length', 'error', 'aborted', 'refusal'] as const satisfies NonNullable<
  ReplyEvent['stop']
>[];
export const ARTIFACTS = [
  'file',
  'commit',
  'pull-request',
  'message',
  'cron',
  'issue',
  'record',
  'answer',
] as const satisfies ArtifactKind[];
export const ENDS = [
  'normal',
  'error',
  'aborted',
  'timeout',
  'limit',
  'handoff',
  'cut-off',
  'open',
  'unknown',
] as const satisfies EndReason[];

export function oneOf<const T extends readonly string[]>(words: T, value: unknown): T[number] | undefined {
  return words.find((word) => word === value);
}
