/**
 * The elements of a `.traj` document, whatever its age: first what is known about the session, then its steps, then
 * how it ended. Covers SWE-agent with a trajectory, SWE-agent with only a history, and mini-swe-agent.
 */
import { stemOf } from '../../files/name-by-file.ts';
import { asArray, asObject, asText, contentText, type JsonObject, parsed } from '../../json/json-fields.ts';

export type TrajectoryHead = {
  readonly kind: 'head';
  readonly instance?: string;
  readonly model?: string;
  readonly task?: string;
};

export type TrajectoryStep = {
  readonly kind: 'step';
  readonly said: string;
  readonly action: string;
  readonly observation: string;
  /** Names and arguments of function calls, when the model made them so. */
  readonly calls: readonly unknown[];
  readonly openFile?: string;
  /** Only mini-swe-agent states it. */
  readonly exitCode?: number;
};

export type Tail = { readonly kind: 'tail'; readonly info: JsonObject };

/** Stand-ins that replay or type instead of a model. */
const NO_MODEL = /^(?:replay|human|human_thought|instant_empty_submit|instant_empty_submit_test)$/;

export function isTrajectory(document: JsonObject): boolean {
  const [step] = asArray(document.trajectory);
  if (Array.isArray(document.trajectory) && asObject(document.info) !== undefined)
    return step === undefined || 'observation' in (asObject(step) ?? {});
  return isMini(document) || isHistory(document.history);
}

function isMini(document: JsonObject): boolean {
  return (
    Array.isArray(document.messages) &&
    asObject(document.info)?.exit_status !== undefined &&
    'model_stats' in (asObject(document.info) ?? {})
  );
}

/** Entries of a history name the agent beside the role; no other format does. */
function isHistory(history: unknown): boolean {
  const first = asObject(asArray(history)[0]);
  return (
    asText(first?.role) !== undefined && asText(first?.agent) !== undefined && 'content' in (first ?? {})
  );
}

export function* trajectoryElements(document: unknown): Iterable<TrajectoryHead | TrajectoryStep | Tail> {
  const trajectory = asObject(document);
  if (trajectory === undefined) return;
  yield headOf(trajectory);
  if (Array.isArray(trajectory.trajectory)) yield* trajectory.trajectory.map(stepOf);
  else if (isMini(trajectory)) yield* pairedSteps(asArray(trajectory.messages));
  else yield* pairedSteps(asArray(trajectory.history));
  yield { kind: 'tail', info: asObject(trajectory.info) ?? {} };
}

function headOf(trajectory: JsonObject): TrajectoryHead {
  const config = asObject(parsed(trajectory.replay_config));
  const mini = asObject(asObject(asObject(trajectory.info)?.config)?.model);
  const model = asText(asObject(asObject(config?.agent)?.model)?.name) ?? asText(mini?.model_name);
  const instance = asText(asObject(config?.problem_statement)?.id) ?? asText(trajectory.instance_id);
  const task = taskOf(asArray(trajectory.history)) ?? taskOf(asArray(trajectory.messages));
  return {
    kind: 'head',
    ...(instance === undefined ? {} : { instance }),
    ...(model === undefined || NO_MODEL.test(model) ? {} : { model }),
    ...(task === undefined ? {} : { task }),
  };
}

/** The first thing said to the agent that is not a demonstration of somebody else's work. */
function taskOf(history: readonly unknown[]): string | undefined {
  for (const value of history) {
    const entry = asObject(value);
    if (entry?.role === 'user' && entry.is_demo !== true) return asText(contentText(entry.content));
  }
  return undefined;
}

function stepOf(value: unknown): TrajectoryStep {
  const step = asObject(value) ?? {};
  const openFile = asText(asObject(parsed(step.state))?.open_file);
  return {
    kind: 'step',
    said: asText(step.response) ?? asText(step.thought) ?? '',
    action: asText(step.action) ?? '',
    observation: contentText(step.observation),
    calls: asArray(step.tool_calls),
    ...(openFile === undefined || openFile === 'n/a' ? {} : { openFile }),
  };
}

/** A step is an assistant message and the message that follows it. */
function* pairedSteps(messages: readonly unknown[]): Iterable<TrajectoryStep> {
  for (const [index, value] of messages.entries()) {
    const message = asObject(value);
    if (message?.role !== 'assistant' || message.is_demo === true) continue;
    const next = asObject(messages[index + 1]);
    const answered = next?.role === 'user' || next?.role === 'tool' || next?.role === 'exit';
    const observation = answered ? contentText(next.content) : '';
    const exitCode = exitCodeOf(next, observation);
    const said = contentText(message.content);
    yield {
      kind: 'step',
      said,
      action: asText(message.action) ?? writtenCommand(message, said) ?? '',
      observation,
      calls: asArray(message.tool_calls),
      ...(exitCode === undefined ? {} : { exitCode }),
    };
  }
}

function exitCodeOf(answer: JsonObject | undefined, observation: string): number | undefined {
  const stated = asObject(answer?.extra)?.returncode;
  if (typeof stated === 'number') return stated;
  const [, tagged] = /^\s*<returncode>(-?\d{1,6})<\/returncode>/.exec(observation) ?? [];
  return tagged === undefined ? undefined : Number(tagged);
}

/** mini-swe-agent: the command stands in the message itself. */
function writtenCommand(message: JsonObject, said: string): string | undefined {
  const [action] = asArray(asObject(message.extra)?.actions);
  const stated = asText(asObject(action)?.command);
  if (stated !== undefined) return stated;
  const open = /```(?:mswea_bash_command|bash)[ \t]*\n/.exec(said);
  if (open === null) return undefined;
  const from = open.index + open[0].length;
  const to = said.indexOf('```', from);
  return asText(said.slice(from, to < 0 ? undefined : to).trim());
}

/**
 * Old runs are named `<model>__<data>__<config>__t-…__p-…__c-…`, which is the only place where they name their model.
 */
export function modelFromName(path: string): string | undefined {
  const [, model] = /^([^_]+(?:_[^_]+)*)__.+__t-[\d.]+__p-[\d.]+__c-[\d.]+__/.exec(stemOf(path)) ?? [];
  return model === undefined || NO_MODEL.test(model) ? undefined : model;
}
