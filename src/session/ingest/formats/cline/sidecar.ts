/**
 * What is known of a task from the files beside its messages: the tokens and the cost of each request as the person saw
 * them, the model, how it stands, and whose part it is.
 */
import type { Event, UnplacedEvent, Usage } from '../../../event.ts';
import { addUsage } from '../../../usage.ts';
import { jsonBeside } from '../../files/json-beside.ts';
import {
  asCount,
  asObject,
  asObjects,
  asText,
  asTime,
  defined,
  type JsonObject,
  parsed,
  usageOf,
} from '../../json/json-fields.ts';
import type { Sidecar } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { besideTask, manifestOf, taskOf } from './task-files.ts';

export function sidecar(path: string): Sidecar {
  const [manifest] = manifestOf(path) ?? [];
  if (manifest !== undefined) return ofManifest(asObject(jsonBeside(manifest)) ?? {});
  const [ui = '', metadata = '', item = ''] = besideTask(path);
  const shown = asObjects(jsonBeside(ui));
  const about = asObject(jsonBeside(item));
  const models = asObjects(asObject(jsonBeside(metadata))?.model_usage);
  const agent = about !== undefined || /roo-cline/.test(path) ? 'roo-code' : 'cline';
  const { usage, costUsd } = spentOf(shown, agent);
  const session: UnplacedEvent = {
    kind: 'session',
    agent,
    ...defined({
      sessionId: taskOf(path),
      parentSessionId: asText(about?.parentTaskId),
      trigger: asText(about?.parentTaskId) === undefined ? undefined : ('subagent' as const),
      project: asText(about?.workspace),
      model: asText(models.at(-1)?.model_id),
      provider: asText(models.at(-1)?.model_provider_id),
      usage,
      costUsd,
    }),
  };
  return placed([session], endOf(shown, about), asTime(shown[0]?.ts));
}

function ofManifest(about: JsonObject): Sidecar {
  const { cwd, model, provider, status } = about;
  const session: UnplacedEvent = {
    kind: 'session',
    ...defined({ project: asText(cwd), model: asText(model), provider: asText(provider) }),
  };
  return placed([session], STATUS.get(status));
}

const STATUS: ReadonlyMap<unknown, UnplacedEvent> = new Map<unknown, UnplacedEvent>([
  ['completed', { kind: 'end', reason: 'normal' }],
  ['failed', { kind: 'end', reason: 'error' }],
  ['cancelled', { kind: 'interrupt' }],
  ['running', { kind: 'end', reason: 'open' }],
]);

function placed(before: readonly UnplacedEvent[], end: UnplacedEvent | undefined, at?: number): Sidecar {
  const place = (event: UnplacedEvent, at?: number): Event => placeEvent(event, { line: 1, at });
  return {
    before: before.map((event) => place(event, at)),
    between: [],
    after: end === undefined ? [] : [place(end)],
  };
}

/** Requests that were deleted with their messages, and those of sub-agents, were paid for as well. */
const SPENT: ReadonlySet<unknown> = new Set(['api_req_started', 'deleted_api_reqs', 'subagent_usage']);

/** Cline leaves what was cached out of the input; Roo Code has it in. */
function spentOf(shown: readonly JsonObject[], agent: string): { usage?: Usage; costUsd?: number } {
  let usage: Usage | undefined;
  let costUsd = 0;
  for (const { say, text, contextCondense } of shown) {
    const counts = SPENT.has(say) ? asObject(parsed(text)) : undefined;
    costUsd += asCount(counts?.cost) ?? asCount(asObject(contextCondense)?.cost) ?? 0;
    const one = counts && usageOfRequest(counts, agent);
    if (one !== undefined) usage = usage === undefined ? one : addUsage(usage, one);
  }
  return defined({ usage, costUsd: costUsd > 0 ? costUsd : undefined });
}

function usageOfRequest(counts: JsonObject, agent: string): Usage | undefined {
  const { tokensIn, tokensOut, cacheReads, cacheWrites } = counts;
  if (agent === 'roo-code') return usageOf(tokensIn, tokensOut, cacheReads, cacheWrites);
  const input = asCount(tokensIn);
  if (input === undefined) return undefined;
  return {
    input,
    output: asCount(tokensOut) ?? 0,
    cacheRead: asCount(cacheReads) ?? 0,
    cacheWrite: asCount(cacheWrites) ?? 0,
  };
}

/** The last thing that the person was shown. */
function endOf(shown: readonly JsonObject[], about: JsonObject | undefined): UnplacedEvent | undefined {
  if (about?.status === 'completed') return { kind: 'end', reason: 'normal' };
  for (const { ask, say } of [...shown].reverse()) {
    if (ask === 'resume_task' || ask === 'resume_completed_task') continue;
    if (ask === 'completion_result' || say === 'completion_result') return { kind: 'end', reason: 'normal' };
    if (ask === 'api_req_failed') return { kind: 'end', reason: 'error' };
    if (ask === 'mistake_limit_reached' || ask === 'auto_approval_max_req_reached')
      return { kind: 'end', reason: 'limit' };
    return undefined;
  }
  return undefined;
}
