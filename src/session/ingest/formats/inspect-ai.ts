/**
 * Samples of Inspect AI. A tool message states an error of the tool itself; for a command's output the text decides.
 * Tokens are those of the model under test, where the log separates roles. Events point at the message of their sample.
 * Scores are labels and are read for calibration only.
 */
import { openEvaluation } from '../../../archives/eval-archive.ts';
import type { EndReason } from '../../event.ts';
import { stemOf } from '../files/name-by-file.ts';
import {
  asArray,
  asCount,
  asId,
  asObject,
  asObjects,
  asText,
  asTime,
  contentText,
  type JsonObject,
  routedModel,
} from '../json/json-fields.ts';
import { type ChatState, callsIn, chatAdapter, documentIs, type Line, usageApart } from './chat.ts';
import type { SessionStore, StoreSession } from './format.ts';
import type { Harness, HarnessLabel } from './harness.ts';

type State = ChatState & { readonly stem: string };

export const inspectAiAdapter = chatAdapter<State>({
  detect: documentIs((log) => {
    const about = asObject(log.eval);
    return asText(about?.task) !== undefined && asText(about?.model) !== undefined && 'status' in log;
  }),
  start: ({ path }) => ({ stem: stemOf(path) }),
  elements: (log) => asArray(log.samples).map((sample) => ({ about: asObject(log.eval) ?? {}, sample })),
  within: function* ({ about, sample }) {
    if (asObject(sample) === undefined) return yield { role: 'none' };
    const { messages, attachments, started_at, ...rest } = asObject(sample) ?? {};
    const list = asObjects(messages);
    yield { role: 'head', about, sample: rest, at: started_at, place: 1 };
    const first = list.findIndex(({ role }) => role !== 'system');
    for (const [index, message] of list.entries())
      yield {
        ...message,
        content: restored(message.content, asObject(attachments) ?? {}),
        at: index === first ? started_at : undefined,
        place: index + 1,
      };
    yield { role: 'tail', sample: rest, place: Math.max(1, list.length) };
  },
  place: ({ place }) => asCount(place) ?? 1,
  times: ({ at }) => [at],
  readers: { none: () => 'sample', head: readHead, tail: readTail },
  otherwise: () => undefined,
  reply: () => ({ usageElsewhere: true }),
  calls: (message) =>
    callsIn({ tool_calls: asObjects(message.tool_calls).map((call) => ({ ...call, name: call.function })) }),
  results: ({ role, content, error, tool_call_id }) => {
    if (role !== 'tool') return [];
    const failed = asObject(error);
    const text = asText(failed?.message) ?? contentText(content);
    if (failed?.type === 'approval') return [{ id: tool_call_id, denied: true, text }];
    return [{ id: tool_call_id, ok: failed === undefined ? undefined : false, text }];
  },
  store: {
    isStore: (path) => {
      const evaluation = openEvaluation(path);
      evaluation?.close();
      return evaluation !== undefined;
    },
    sessions,
  },
});

function* sessions(path: string, problem: Parameters<SessionStore['sessions']>[1]): Generator<StoreSession> {
  const evaluation = openEvaluation(path);
  if (evaluation === undefined) return problem('store');
  try {
    for (const sample of evaluation.samples()) {
      if (sample === undefined) problem('row');
      else {
        const record = { about: evaluation.about, sample };
        yield { sessionId: sessionIdOf(stemOf(path), sample), records: [{ line: 1, record }] };
      }
    }
  } finally {
    evaluation.close();
  }
}

/** A sample has an id in newer logs; in older ones its position in the evaluation names it. */
function sessionIdOf(stem: string, sample: JsonObject): string {
  return asText(sample.uuid) ?? `${stem}:${asId(sample.id) ?? ''}:${asId(sample.epoch) ?? '1'}`;
}

function readHead({ state, record, send }: Line<State>): void {
  const about = asObject(record.about) ?? {};
  const sample = asObject(record.sample) ?? {};
  state.session = sessionIdOf(state.stem, sample);
  Object.assign(state, { model: undefined, provider: undefined }, routedModel(about.model));
  const { session: sessionId, model, provider } = state;
  send({
    kind: 'session',
    sessionId,
    agent: 'inspect-ai',
    trigger: 'user',
    model,
    provider,
    project: asText(about.task),
    ...spentOf(sample, asText(about.model)),
  });
}

/** Without the calls of scorers and other roles, where the log separates them. */
function spentOf(sample: JsonObject, model: string | undefined) {
  const usages = asObject(sample.model_usage) ?? {};
  const own = asObject(usages[model ?? '']) ?? asObject(Object.values(usages)[0]);
  if (asCount(own?.input_tokens) === undefined || asCount(own?.output_tokens) === undefined) return {};
  const others = asObjects(Object.values(asObject(sample.role_usage) ?? {}));
  const less = (key: string) => others.reduce((sum, one) => sum + (asCount(one[key]) ?? 0), 0);
  const count = (key: string) => Math.max(0, (asCount(own?.[key]) ?? 0) - less(key));
  const cost = others.length > 0 ? undefined : asCount(own?.total_cost);
  return {
    usage: usageApart(
      count('input_tokens'),
      count('output_tokens'),
      count('input_tokens_cache_read'),
      count('input_tokens_cache_write'),
    ),
    costUsd: cost === 0 ? undefined : cost,
  };
}

const LIMITS: Readonly<Record<string, EndReason>> = {
  time: 'timeout',
  working: 'timeout',
  operator: 'aborted',
};

function readTail({ record, send }: Line<State>): void {
  const sample = asObject(record.sample) ?? {};
  for (const { event } of asObjects(sample.events)) if (event === 'compaction') send({ kind: 'compaction' });
  const limit = asText(asObject(sample.limit)?.type);
  const stopped = limit === undefined ? 'normal' : (LIMITS[limit] ?? 'limit');
  const reason = asObject(sample.error) === undefined ? stopped : 'error';
  send({ kind: 'end', reason }, asTime(sample.completed_at));
}

/** Long texts are stored apart and referenced by a hash. */
function restored(content: unknown, attachments: JsonObject): unknown {
  const whole = (text: unknown): unknown => {
    const hash = /^attachment:\/\/(\w{1,128})$/.exec(asText(text) ?? '')?.[1];
    return (hash === undefined ? undefined : asText(attachments[hash])) ?? text;
  };
  if (typeof content === 'string') return whole(content);
  return asArray(content).map((part) => {
    const fields = asObject(part);
    return fields === undefined ? part : { ...fields, text: whole(fields.text) };
  });
}

const GRADES: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

/**
 * The score of each sample, from a log as JSON or from the archive itself. Grades are C (correct), I, P (partial) and N (no answer).
 * Of several scorers the first one counts, as it does in Inspect's own summary. A sample that broke has none.
 */
export const harness: Harness = {
  name: 'Inspect AI',
  labels: (document, path) => {
    const log = asObject(document);
    const about = asObject(log?.eval);
    if (asText(about?.task) === undefined || !Array.isArray(log?.samples)) return undefined;
    return asObjects(asArray(log.samples)).flatMap((sample) => labelOf(sample, path));
  },
  archive: (path) => (/\.eval$/i.test(path) ? archiveLabels(path) : undefined),
};

function archiveLabels(path: string): HarnessLabel[] | undefined {
  const evaluation = openEvaluation(path);
  if (evaluation === undefined) return undefined;
  try {
    const short = evaluation.summaries();
    const samples = short.length > 0 ? short : [...evaluation.samples()].filter((one) => one !== undefined);
    return samples.flatMap((sample) => labelOf(sample, path));
  } finally {
    evaluation.close();
  }
}

function labelOf(sample: JsonObject, path: string): HarnessLabel[] {
  if (sample.error !== undefined && sample.error !== null) return [];
  const [score] = asObjects(Object.values(asObject(sample.scores) ?? {}));
  const outcome = outcomeOf(score?.value);
  if (outcome === undefined) return [];
  return [{ outcome, task: asId(sample.id), of: { session: sessionIdOf(stemOf(path), sample) } }];
}

function outcomeOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return value >= 0 && value <= 1 ? value : undefined;
  return typeof value === 'string' && Object.hasOwn(GRADES, value) ? GRADES[value] : undefined;
}
