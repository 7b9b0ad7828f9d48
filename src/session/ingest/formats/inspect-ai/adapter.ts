/**
 * Samples of Inspect AI. Their scores are labels and are not read here. A message of a tool states an error of the tool
 * itself; what a command printed is left to the text. The tokens are those of the model under test, as far as the log
 * keeps roles apart. Events point at the message of their sample.
 */

import { openEvaluation } from '../../../../archives/eval-archive.ts';
import type { EndReason, Usage } from '../../../event.ts';
import { stemOf } from '../../files/name-by-file.ts';
import {
  asArray,
  asCount,
  asId,
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
} from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample, SessionStore, StoreSession } from '../format.ts';

type InspectState = { readonly stem: string };

/** A sample with what the log says of all of them. */
type SampleRecord = { readonly about: JsonObject; readonly sample: JsonObject };

const LIMITS: Readonly<Record<string, EndReason>> = {
  time: 'timeout',
  working: 'timeout',
  operator: 'aborted',
};

export const inspectAiAdapter: Adapter<InspectState> = {
  detect: ({ records, document }: Sample) => document && isLog(asObject(records[0])),
  start: ({ path }) => ({ stem: stemOf(path) }),
  step: (state, record, _line, emit) => {
    const { about, sample } = (asObject(record) ?? {}) as Partial<SampleRecord>;
    const read = asObject(sample);
    if (read === undefined) return 'sample';
    readSample(state, asObject(about) ?? {}, read, emit);
    return undefined;
  },
  elements: (document) => {
    const log = asObject(document) ?? {};
    const about = asObject(log.eval) ?? {};
    return asArray(log.samples).map((sample) => ({ about, sample }));
  },
  store: { isStore: isEvaluation, sessions },
};

function isLog(log: JsonObject | undefined): boolean {
  const about = asObject(log?.eval);
  return (
    about !== undefined &&
    asText(about.task) !== undefined &&
    asText(about.model) !== undefined &&
    'status' in (log ?? {})
  );
}

function isEvaluation(path: string): boolean {
  const evaluation = openEvaluation(path);
  evaluation?.close();
  return evaluation !== undefined;
}

function* sessions(path: string, problem: Parameters<SessionStore['sessions']>[1]): Generator<StoreSession> {
  const evaluation = openEvaluation(path);
  if (evaluation === undefined) return problem('store');
  const stem = stemOf(path);
  try {
    for (const sample of evaluation.samples()) {
      if (sample === undefined) problem('row');
      else {
        const record: SampleRecord = { about: evaluation.about, sample };
        yield { sessionId: inspectSessionId(stem, sample), records: [{ line: 1, record }] };
      }
    }
  } finally {
    evaluation.close();
  }
}

/** A sample has an id of its own in newer logs; in older ones its place in the evaluation names it. */
export function inspectSessionId(stem: string, sample: JsonObject): string {
  return asText(sample.uuid) ?? `${stem}:${asId(sample.id) ?? ''}:${asId(sample.epoch) ?? '1'}`;
}

function readSample({ stem }: InspectState, about: JsonObject, sample: JsonObject, emit: Emit): void {
  const session = inspectSessionId(stem, sample);
  const { model, provider } = routedModel(about.model);
  const attachments = asObject(sample.attachments) ?? {};
  const messages = asObjects(sample.messages);
  const started = asTime(sample.started_at);
  const first = messages.findIndex(({ role }) => role !== 'system');
  const spent = spentOf(sample, asText(about.model));
  emit(
    {
      kind: 'session',
      sessionId: session,
      agent: 'inspect-ai',
      trigger: 'user',
      line: 1,
      ...defined({ model, provider, project: asText(about.task), at: started, ...spent }),
    },
    session,
  );
  messages.forEach((message, i) => {
    readMessage(message, {
      line: i + 1,
      at: i === first ? started : undefined,
      attachments,
      session,
      emit,
      model,
      provider,
    });
  });
  const line = Math.max(1, messages.length);
  for (const { event } of asObjects(sample.events))
    if (event === 'compaction') emit({ kind: 'compaction', line }, session);
  emit(
    { kind: 'end', reason: endOf(sample), line, ...defined({ at: asTime(sample.completed_at) }) },
    session,
  );
}

type Place = {
  readonly line: number;
  readonly at: number | undefined;
  readonly attachments: JsonObject;
  readonly session: string;
  readonly emit: Emit;
  readonly model: string | undefined;
  readonly provider: string | undefined;
};

function readMessage(message: JsonObject, place: Place): void {
  const { line, session, emit, attachments, model, provider } = place;
  const at = defined({ at: place.at });
  const text = contentText(restored(message.content, attachments));
  if (message.role === 'user') emit({ kind: 'user', origin: 'user', text, line, ...at }, session);
  if (message.role === 'assistant') {
    emit(
      { kind: 'reply', text, line, usageElsewhere: true, ...at, ...defined({ model, provider }) },
      session,
    );
    for (const call of asObjects(message.tool_calls)) {
      const [callId, tool] = [asText(call.id), asText(call.function)];
      if (callId !== undefined && tool !== undefined)
        emit({ kind: 'call', callId, tool, input: parsed(call.arguments), line, ...at }, session);
    }
  }
  if (message.role === 'tool') readAnswer(message, text, place);
}

function readAnswer(message: JsonObject, text: string, { line, session, emit }: Place): void {
  const callId = asText(message.tool_call_id);
  if (callId === undefined) return;
  const error = asObject(message.error);
  const denied = error?.type === 'approval' ? true : undefined;
  const ok = error === undefined || denied ? undefined : false;
  const said = error === undefined ? text : (asText(error.message) ?? text);
  emit({ kind: 'result', callId, text: cutText(said), line, ...defined({ ok, denied }) }, session);
}

/** Long texts are kept apart and named by a hash. */
function restored(content: unknown, attachments: JsonObject): unknown {
  if (typeof content === 'string') return attached(content, attachments);
  return asArray(content).map((part) => {
    const fields = asObject(part);
    return typeof fields?.text === 'string' ? { ...fields, text: attached(fields.text, attachments) } : part;
  });
}

function attached(text: string, attachments: JsonObject): string {
  const hash = /^attachment:\/\/(\w{1,128})$/.exec(text)?.[1];
  return (hash === undefined ? undefined : asText(attachments[hash])) ?? text;
}

/** Without the calls of scorers and other roles, where the log keeps those apart. */
function spentOf(sample: JsonObject, model: string | undefined): { usage?: Usage; costUsd?: number } {
  const usages = asObject(sample.model_usage) ?? {};
  const own =
    (model === undefined ? undefined : asObject(usages[model])) ?? asObject(Object.values(usages)[0]);
  const [input, output] = [asCount(own?.input_tokens), asCount(own?.output_tokens)];
  if (own === undefined || input === undefined || output === undefined) return {};
  const others = asObjects(Object.values(asObject(sample.role_usage) ?? {}));
  const less = (key: string) => others.reduce((sum, one) => sum + (asCount(one[key]) ?? 0), 0);
  const count = (key: string) => Math.max(0, (asCount(own[key]) ?? 0) - less(key));
  const costUsd = asCount(own.total_cost);
  return {
    usage: {
      input: count('input_tokens'),
      output: count('output_tokens'),
      cacheRead: count('input_tokens_cache_read'),
      cacheWrite: count('input_tokens_cache_write'),
    },
    ...defined({ costUsd: costUsd === 0 || others.length > 0 ? undefined : costUsd }),
  };
}

function endOf(sample: JsonObject): EndReason {
  if (asObject(sample.error) !== undefined) return 'error';
  const limit = asText(asObject(sample.limit)?.type);
  return limit === undefined ? 'normal' : (LIMITS[limit] ?? 'limit');
}
