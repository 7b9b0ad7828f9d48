/**
 * OpenClaw's flight recorder: the trigger, the end and the sent messages of each run. It is written by the runtime
 * itself, so it takes precedence over what the transcript suggests.
 */
import type { ArtifactKind, EndReason, Event, Trigger, Usage } from '../../../event.ts';
import { addUsage, NO_USAGE } from '../../../usage.ts';
import { asCount, asObject, asText, defined, firstTime, type JsonObject } from '../../json/json-fields.ts';
import { unlessZero } from '../chat.ts';
import { typedUsage } from '../typed-entries.ts';

/** Only these are read; the others hold prompts and whole conversations. */
export const TRAJECTORY_TYPES = ['session.started', 'trace.artifacts', 'session.ended'] as const;

export type Trajectory = {
  /** The trigger of the runs, where it is the same for all. */
  readonly trigger?: Trigger;
  readonly usage?: Usage;
  readonly agent?: string;
  /** Per run, in order of their ends: its artifacts and its end. Lines are 0: they are not in the transcript. */
  readonly runs: readonly (readonly Event[])[];
  /** How often the context was compacted, in all runs together. */
  readonly compactions: number;
};

type Made = { readonly artifact: ArtifactKind; readonly ok: boolean };
/** Only facts of a run are used: its records contain every message. */
type Run = {
  at: number | undefined;
  made: readonly Made[];
  usage: Usage | undefined;
  end: EndReason | undefined;
  compactions: number;
};

const MAX_RUNS = 20_000;
/** Of one run. More is no count. */
const MAX_COMPACTIONS = 1_000;

export function readTrajectory(records: Iterable<unknown>): Trajectory {
  const runs = new Map<string, Run>();
  const triggers = new Set<Trigger | undefined>();
  let agent: string | undefined;
  for (const record of records) {
    const event = asObject(record);
    const type = asText(event?.type);
    if (event === undefined || type === undefined || runs.size >= MAX_RUNS) continue;
    const data = asObject(event.data);
    agent ??= asText(data?.agentId) ?? asText(event.agentId);
    if (type === 'session.started') triggers.add(triggerOf(data));
    else if (type === 'trace.artifacts' || type === 'session.ended') noteRun(runs, event, type, data);
  }
  const ended = [...runs.values()];
  return {
    runs: ended.map(eventsOf).filter((events) => events.length > 0),
    compactions: ended.reduce((sum, run) => sum + Math.floor(run.compactions), 0),
    ...defined({ agent, trigger: triggers.size === 1 ? [...triggers][0] : undefined, usage: usageOf(ended) }),
  };
}

function noteRun(
  runs: Map<string, Run>,
  event: JsonObject,
  type: string,
  data: JsonObject | undefined,
): void {
  const id = asText(event.runId) ?? `at-${asText(event.ts) ?? runs.size}`;
  const run = runs.get(id) ?? { at: undefined, made: [], usage: undefined, end: undefined, compactions: 0 };
  run.at = firstTime(event.ts) ?? run.at;
  // A run that was tried again is recorded again; what came last holds.
  run.end = endOf(data) ?? run.end;
  if (type === 'trace.artifacts') {
    run.made = artifactsOf(data);
    run.usage = typedUsage(data?.usage);
    run.compactions = Math.min(asCount(data?.compactionCount) ?? 0, MAX_COMPACTIONS);
  }
  runs.delete(id);
  runs.set(id, run);
}

function eventsOf(run: Run): Event[] {
  const place = { line: 0, ...defined({ at: run.at }) };
  const made = run.made.map((each): Event => ({ kind: 'artifact', ...each, ...place }));
  return run.end === undefined ? made : [...made, { kind: 'end', reason: run.end, ...place }];
}

const FAILED_ARTIFACTS: ReadonlyMap<string, ArtifactKind> = new Map<string, ArtifactKind>([
  ['message', 'message'],
  ['sessions_send', 'message'],
  ['cron', 'cron'],
  ['write', 'file'],
  ['edit', 'file'],
  ['apply_patch', 'file'],
]);

function artifactsOf(data: JsonObject | undefined): Made[] {
  const made: Made[] = [];
  if (data?.didSendViaMessagingTool === true) made.push({ artifact: 'message', ok: true });
  if (typeof data?.successfulCronAdds === 'number' && data.successfulCronAdds > 0) {
    made.push({ artifact: 'cron', ok: true });
  }
  const failure = asObject(data?.lastToolError);
  const failed = FAILED_ARTIFACTS.get(asText(failure?.toolName) ?? '');
  if (failed !== undefined && failure?.mutatingAction === true) made.push({ artifact: failed, ok: false });
  return made;
}

function endOf(data: JsonObject | undefined): EndReason | undefined {
  if (data === undefined) return undefined;
  const status = asText(data.status) ?? asText(data.finalStatus);
  const timedOut = Object.entries(data).some(
    ([name, value]) => value === true && /^(?:idleT|t)imedOut/.test(name),
  );
  if (timedOut) return 'timeout';
  if (data.aborted === true || data.externalAbort === true) return 'aborted';
  if (asText(data.promptError) !== undefined || asText(data.terminalError) !== undefined) return 'error';
  if (status === 'success') return 'normal';
  if (status === 'error') return 'error';
  return status === 'interrupted' ? 'aborted' : undefined;
}

function triggerOf(data: JsonObject | undefined): Trigger | undefined {
  const trigger = asText(data?.trigger);
  const provider = asText(data?.messageProvider);
  // A reminder arrives through the heartbeat's door.
  if (trigger === 'cron' || provider === 'cron-event' || provider === 'cron') return 'cron';
  if (trigger === 'heartbeat' || provider === 'heartbeat') return 'heartbeat';
  if (trigger === 'subagent' || trigger === 'hook' || trigger === 'user') return trigger;
  return trigger === 'webhook' ? 'hook' : undefined;
}

function usageOf(runs: readonly Run[]): Usage | undefined {
  return unlessZero(runs.flatMap(({ usage }) => usage ?? []).reduce(addUsage, NO_USAGE));
}
