/**
 * The fields of a line that are read, always all of them and in one order. Lines have hundreds of shapes, by their kind, the
 * version and what was left out; V8 compiles what reads them for the shapes that it has seen, and anew with the next one.
 * Only these functions see them.
 *
 * Each begins with what may be null in no line that counts (`usage.ts`), written out: an object that begins as a copy of
 * another grows with every field that is added.
 */
import { asObject, type JsonObject } from '../../json/json-fields.ts';

export function lineFields(record: JsonObject): JsonObject {
  const message = asObject(record.message);
  return {
    id: record.id,
    cwd: record.cwd,
    model: record.model,
    speed: record.speed,
    costUSD: record.costUSD,
    version: record.version,
    sessionId: record.sessionId,
    requestId: record.requestId,
    isApiErrorMessage: record.isApiErrorMessage,
    cache_read_input_tokens: record.cache_read_input_tokens,
    cache_creation_input_tokens: record.cache_creation_input_tokens,
    type: record.type,
    uuid: record.uuid,
    parentUuid: record.parentUuid,
    timestamp: record.timestamp,
    message: message === undefined ? record.message : messageFields(message),
    isSidechain: record.isSidechain,
    agentId: record.agentId,
    attributionAgent: record.attributionAgent,
    toolUseResult: record.toolUseResult,
    toolDenialKind: record.toolDenialKind,
    origin: record.origin,
    isMeta: record.isMeta,
    isCompactSummary: record.isCompactSummary,
    isVisibleInTranscriptOnly: record.isVisibleInTranscriptOnly,
    isAbortedMidStream: record.isAbortedMidStream,
    subtype: record.subtype,
    attachment: record.attachment,
    content: record.content,
    prUrl: record.prUrl,
    prNumber: record.prNumber,
  };
}

function messageFields(message: JsonObject): JsonObject {
  const usage = asObject(message.usage);
  return {
    id: message.id,
    cwd: message.cwd,
    model: message.model,
    speed: message.speed,
    costUSD: message.costUSD,
    version: message.version,
    sessionId: message.sessionId,
    requestId: message.requestId,
    isApiErrorMessage: message.isApiErrorMessage,
    cache_read_input_tokens: message.cache_read_input_tokens,
    cache_creation_input_tokens: message.cache_creation_input_tokens,
    content: message.content,
    stop_reason: message.stop_reason,
    usage: usage === undefined ? message.usage : usageFields(usage),
  };
}

function usageFields(usage: JsonObject): JsonObject {
  return {
    id: usage.id,
    cwd: usage.cwd,
    model: usage.model,
    speed: usage.speed,
    costUSD: usage.costUSD,
    version: usage.version,
    sessionId: usage.sessionId,
    requestId: usage.requestId,
    isApiErrorMessage: usage.isApiErrorMessage,
    cache_read_input_tokens: usage.cache_read_input_tokens,
    cache_creation_input_tokens: usage.cache_creation_input_tokens,
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cache_creation: usage.cache_creation,
    iterations: usage.iterations,
  };
}

/** Of what the program writes beside the text of a result: every tool has a shape of its own. */
export function resultDetails(result: unknown): JsonObject | undefined {
  const details = asObject(result);
  if (details === undefined) return undefined;
  return {
    status: details.status,
    success: details.success,
    is_error: details.is_error,
    interrupted: details.interrupted,
    backgroundTaskId: details.backgroundTaskId,
    agentId: details.agentId,
    task: details.task,
    filePath: details.filePath,
    structuredPatch: details.structuredPatch,
  };
}
