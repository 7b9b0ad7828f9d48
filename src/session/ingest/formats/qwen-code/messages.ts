/** Messages of a Qwen Code session, made of parts as the Gemini API has them. */
import type { ResultEvent, Usage } from '../../../event.ts';
import {
  asCount,
  asObject,
  asObjects,
  asText,
  cutText,
  defined,
  type JsonObject,
  shown,
} from '../../json/json-fields.ts';
import { recall, remember } from '../bounded-map.ts';
import { shownDiff } from '../shown-diff.ts';
import { fencedCommand } from '../told-command.ts';
import type { QwenLine } from './adapter.ts';

function partsOf(record: JsonObject): JsonObject[] {
  return asObjects(asObject(record.message)?.parts);
}

/** Thoughts are not said. */
function textOf(parts: readonly JsonObject[]): string {
  return parts
    .filter(({ thought }) => thought !== true)
    .flatMap(({ text }) => asText(text) ?? [])
    .join('\n');
}

/** Kinds of input that no person typed. */
const RUNTIME: ReadonlySet<unknown> = new Set(['notification', 'agent_retry', 'goal']);

/** Hooks put context beside what was typed; what was typed then stands apart. */
export function readUser({ record, subagent, send }: QwenLine): void {
  const parts = partsOf(record);
  const typed = parts.filter(({ text }) => !(asText(text) ?? '').startsWith('<qwen:'));
  const text = asText(asObject(record.systemPayload)?.displayText) ?? textOf(typed);
  const hasFile = parts.some(
    ({ inlineData, fileData }) => inlineData !== undefined || fileData !== undefined,
  );
  if (text === '' && !hasFile) return;
  send(fencedCommand(text) ?? { kind: 'user', origin: originOf(record, subagent), text });
}

function originOf({ subtype, provenance }: JsonObject, subagent: boolean) {
  if (subtype === 'cron') return 'cron';
  const source = asText(provenance) ?? asText(asObject(provenance)?.kind);
  if (RUNTIME.has(subtype) || (source !== undefined && source !== 'real_user')) return 'runtime';
  return subagent ? 'subagent' : 'user';
}

export function readReply({ state, record, line, send }: QwenLine): void {
  const parts = partsOf(record);
  const calls = asObjects(parts.map(({ functionCall }) => functionCall));
  send({
    kind: 'reply',
    text: textOf(parts),
    ...defined({
      messageId: asText(record.uuid),
      model: asText(record.model),
      usage: usageOf(record.usageMetadata),
      stop: calls.length > 0 ? ('tool' as const) : undefined,
    }),
  });
  calls.forEach((call, index) => {
    const callId = asText(call.id) ?? `line-${line}/${index}`;
    if (recall(state.calls, callId) !== undefined) return;
    const tool = asText(call.name) ?? 'unknown';
    remember(state.calls, callId, tool);
    send({ kind: 'call', callId, tool, input: call.args ?? null });
  });
}

/** The input contains what was read from the cache; thoughts are billed as output and stated apart from it. */
function usageOf(value: unknown): Usage | undefined {
  const fields = asObject(value);
  const prompt = asCount(fields?.promptTokenCount);
  const said = asCount(fields?.candidatesTokenCount);
  if (fields === undefined || (prompt === undefined && said === undefined)) return undefined;
  const cacheRead = Math.min(asCount(fields.cachedContentTokenCount) ?? 0, prompt ?? 0);
  return {
    input: (prompt ?? 0) - cacheRead,
    output: (said ?? 0) + (asCount(fields.thoughtsTokenCount) ?? 0),
    cacheRead,
    cacheWrite: 0,
  };
}

/** One record per call; `toolCallResult` says what became of it. */
export function readResults({ state, record, send }: QwenLine): void {
  const about = asObject(record.toolCallResult) ?? {};
  const answers = asObjects(partsOf(record).map(({ functionResponse }) => functionResponse));
  const callId = asText(about.callId) ?? asText(answers[0]?.id);
  if (callId === undefined) return;
  const tool = recall(state.calls, callId) ?? asText(answers[0]?.name) ?? '';
  const text =
    answers.map(({ response }) => answerText(response)).join('\n') || (shown(about.resultDisplay) ?? '');
  const display = asObject(about.resultDisplay);
  for (const change of shownDiff(callId, asText(display?.fileDiff), asText(display?.filePath))) send(change);
  send({ kind: 'result', callId, ...outcomeOf(about, tool, text), text: cutText(text) });
}

function answerText(response: unknown): string {
  const fields = asObject(response);
  return shown(fields?.output ?? fields?.error ?? response) ?? '';
}

const SHELL = /shell|terminal|bash/i;
const EXIT_CODE = /(?:^|\n)Exit Code: (-?\d+)/;

/** A command that fails is still a success of its tool: its exit code stands in the answer. */
function outcomeOf(
  about: JsonObject,
  tool: string,
  text: string,
): Pick<ResultEvent, 'ok' | 'denied' | 'byRule'> {
  if (about.errorType === 'execution_denied')
    return /\buser\b/i.test(text.slice(0, 300)) ? { denied: true } : { denied: true, byRule: true };
  if (about.status === 'error') return { ok: false };
  // Refused, or stopped while it ran: its answer reads like any other.
  if (about.status === 'cancelled' || about.executionStatus === 'cancelled') return { denied: true };
  if (about.status !== 'success') return {};
  const code = SHELL.test(tool) ? EXIT_CODE.exec(text)?.[1] : undefined;
  return { ok: code === undefined || Number(code) === 0 };
}
