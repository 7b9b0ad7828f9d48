/**
 * ATIF: steps of a system, a person and an agent; the results of a step's calls stand in the same step. It has no flag
 * for errors, no exit codes and no reason for the end, so results carry none and the text decides. Steps that repeat an
 * earlier trajectory are left out. Events point at the step.
 */
import { nameOfFile } from '../../files/name-by-file.ts';
import {
  asArray,
  asCost,
  asObject,
  asObjects,
  asText,
  asTime,
  contentText,
  cutText,
  defined,
  type JsonObject,
  parsed,
  routedModel,
  usageOf,
} from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample } from '../format.ts';

type AtifState = { readonly name: string; session: string; model?: string; provider?: string; steps: number };

/** What a document is stepped through as. */
type Element =
  | { readonly kind: 'head'; readonly trajectory: JsonObject; readonly parent?: string }
  | { readonly kind: 'step'; readonly step: JsonObject };

const MAX_DEPTH = 8;

export const atifAdapter: Adapter<AtifState> = {
  detect: ({ records, document }: Sample) => document && isTrajectory(asObject(records[0])),
  start: ({ path }) => ({ name: nameOfFile(path), session: nameOfFile(path), steps: 0 }),
  step: (state, record, _line, emit) => {
    const element = asObject(record) as Element | undefined;
    if (element?.kind === 'head')
      readHead(state, asObject(element.trajectory) ?? {}, asText(element.parent), emit);
    else if (element?.kind === 'step') return readStep(state, asObject(element.step) ?? {}, emit);
    else return 'step';
    return undefined;
  },
  elements: (document) => elementsOf(asObject(document) ?? {}, undefined, 0),
};

function isTrajectory(document: JsonObject | undefined): boolean {
  return /^ATIF-v\d/.test(asText(document?.schema_version) ?? '') && Array.isArray(document?.steps);
}

function* elementsOf(trajectory: JsonObject, parent: string | undefined, depth: number): Generator<Element> {
  yield { kind: 'head', trajectory, ...defined({ parent }) };
  for (const step of asObjects(trajectory.steps)) yield { kind: 'step', step };
  if (depth >= MAX_DEPTH) return;
  const own = idOf(trajectory);
  for (const child of asObjects(trajectory.subagent_trajectories)) {
    yield* elementsOf(child, own, depth + 1);
  }
}

function idOf(trajectory: JsonObject): string | undefined {
  return asText(trajectory.trajectory_id) ?? asText(trajectory.session_id);
}

function readHead(state: AtifState, trajectory: JsonObject, parent: string | undefined, emit: Emit): void {
  const agent = asObject(trajectory.agent);
  // A child names the session of its parent as its own, so only its trajectory tells it apart.
  const own = parent === undefined ? asText(trajectory.session_id) : idOf(trajectory);
  state.session = own ?? (parent === undefined ? state.name : `${state.name}:${state.steps}`);
  state.steps = 0;
  Object.assign(state, { model: undefined, provider: undefined }, routedModel(agent?.model_name));
  const totals = asObject(trajectory.final_metrics);
  const usage = usageOf(
    totals?.total_prompt_tokens,
    totals?.total_completion_tokens,
    totals?.total_cached_tokens,
  );
  const { model, provider, session } = state;
  emit(
    {
      kind: 'session',
      sessionId: session,
      agent: asText(agent?.name) ?? 'atif',
      line: 1,
      ...(parent === undefined
        ? { trigger: 'user' as const }
        : { trigger: 'subagent' as const, parentSessionId: parent }),
      ...defined({ model, provider, usage, costUsd: asCost(totals?.total_cost_usd, usage) }),
    },
    session,
  );
}

function readStep(state: AtifState, step: JsonObject, emit: Emit): string | undefined {
  state.steps += 1;
  if (step.is_copied_context === true) return undefined;
  const at = { line: state.steps, ...defined({ at: asTime(step.timestamp) }) };
  const text = contentText(step.message);
  if (step.source === 'user') emit({ kind: 'user', origin: 'user', text, ...at }, state.session);
  else if (step.source === 'agent') readAgentStep(state, step, text, at, emit);
  else if (step.source !== 'system') return `source ${asText(step.source) ?? ''}`;
  return undefined;
}

function readAgentStep(
  state: AtifState,
  step: JsonObject,
  text: string,
  at: { readonly line: number },
  emit: Emit,
): void {
  const metrics = asObject(step.metrics);
  const usage = usageOf(metrics?.prompt_tokens, metrics?.completion_tokens, metrics?.cached_tokens);
  const named =
    step.model_name === undefined
      ? { model: state.model, provider: state.provider }
      : routedModel(step.model_name);
  const costUsd = asCost(metrics?.cost_usd, usage);
  emit({ kind: 'reply', text, ...at, ...defined({ ...named, usage, costUsd }) }, state.session);
  const calls = asObjects(step.tool_calls);
  for (const [i, call] of calls.entries()) {
    const tool = asText(call.function_name);
    if (tool === undefined) continue;
    const callId = asText(call.tool_call_id) ?? `step-${state.steps}-${i}`;
    emit({ kind: 'call', callId, tool, input: parsed(call.arguments), ...at }, state.session);
  }
  const only = calls.length === 1 ? (asText(calls[0]?.tool_call_id) ?? `step-${state.steps}-0`) : undefined;
  for (const result of asArray(asObject(step.observation)?.results).map(asObject)) {
    const callId = asText(result?.source_call_id) ?? only;
    if (callId === undefined) continue;
    emit({ kind: 'result', callId, text: cutText(contentText(result?.content)), ...at }, state.session);
  }
}
