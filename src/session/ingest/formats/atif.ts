/**
 * ATIF: steps of a system, a user and an agent; a step has the results of its calls. It has no error flag, no exit
 * codes and no reason for the end, so results have none and the text decides. Steps that repeat an earlier trajectory
 * are skipped. Events point at the step.
 */
import { nameOfFile } from '../files/name-by-file.ts';
import {
  asCost,
  asObject,
  asObjects,
  asText,
  contentText,
  type JsonObject,
  parsed,
  routedModel,
  usageOf,
} from '../json/json-fields.ts';
import { type ChatState, chatAdapter, childOf, documentIs, type Line, sendCall, sendResult } from './chat.ts';

type State = ChatState & { readonly name: string; steps: number };

const MAX_DEPTH = 8;

export const atifAdapter = chatAdapter<State>({
  detect: documentIs(
    ({ schema_version, steps }) => /^ATIF-v\d/.test(asText(schema_version) ?? '') && Array.isArray(steps),
  ),
  start: ({ path }) => ({ name: nameOfFile(path), session: nameOfFile(path), steps: 0 }),
  elements: (document) => elementsOf(document, undefined, 0),
  place: ({ head }, state) => {
    if (head === undefined) state.steps += 1;
    return head === undefined ? state.steps : 1;
  },
  times: ({ head, timestamp }) => (head === undefined ? [timestamp] : []),
  message: (step) => ({ ...step, content: step.message }),
  kind: ({ head, source, is_copied_context }) =>
    head !== undefined ? 'head' : is_copied_context === true ? 'system' : `source ${asText(source) ?? ''}`,
  readers: {
    head: readHead,
    'source system': () => undefined,
    'source user': ({ record, send }) =>
      send({ kind: 'user', origin: 'user', text: contentText(record.message) }),
    'source agent': readStep,
  },
});

function* elementsOf(
  trajectory: JsonObject,
  parent: string | undefined,
  depth: number,
): Generator<JsonObject> {
  yield { head: trajectory, parent };
  yield* asObjects(trajectory.steps);
  if (depth >= MAX_DEPTH) return;
  for (const child of asObjects(trajectory.subagent_trajectories))
    yield* elementsOf(child, idOf(trajectory), depth + 1);
}

function idOf(trajectory: JsonObject): string | undefined {
  return asText(trajectory.trajectory_id) ?? asText(trajectory.session_id);
}

function readHead({ state, record, send }: Line<State>): void {
  const head = asObject(record.head) ?? {};
  const agent = asObject(head.agent);
  const parent = asText(record.parent);
  // A child has the session of its parent as its own, so its trajectory identifies it.
  const own = parent === undefined ? asText(head.session_id) : idOf(head);
  const session = own ?? (parent === undefined ? state.name : `${state.name}:${state.steps}`);
  Object.assign(state, {
    session,
    steps: 0,
    model: undefined,
    provider: undefined,
    ...routedModel(agent?.model_name),
  });
  const totals = asObject(head.final_metrics);
  const usage = usageOf(
    totals?.total_prompt_tokens,
    totals?.total_completion_tokens,
    totals?.total_cached_tokens,
  );
  send({
    kind: 'session',
    sessionId: session,
    agent: asText(agent?.name) ?? 'atif',
    trigger: 'user',
    ...childOf(parent),
    model: state.model,
    provider: state.provider,
    usage,
    costUsd: asCost(totals?.total_cost_usd, usage),
  });
}

function readStep({ state, record, send }: Line<State>): void {
  const metrics = asObject(record.metrics);
  const usage = usageOf(metrics?.prompt_tokens, metrics?.completion_tokens, metrics?.cached_tokens);
  const { model, provider } = record.model_name === undefined ? state : routedModel(record.model_name);
  const text = contentText(record.message);
  send({ kind: 'reply', text, model, provider, usage, costUsd: asCost(metrics?.cost_usd, usage) });
  const calls = asObjects(record.tool_calls);
  const ids = calls.map((call, index) => asText(call.tool_call_id) ?? `step-${state.steps}-${index}`);
  calls.forEach((call, index) => {
    if (asText(call.function_name) !== undefined)
      sendCall(send, ids[index] ?? '', call.function_name, parsed(call.arguments));
  });
  const only = calls.length === 1 ? ids[0] : undefined;
  for (const { source_call_id, content } of asObjects(asObject(record.observation)?.results))
    sendResult(send, asText(source_call_id) ?? only, { text: contentText(content) });
}
