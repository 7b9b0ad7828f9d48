/** Sessions of Kimi Code and of the Kimi CLI, told apart line by line: one states milliseconds, the other seconds. */
import { lstatSync, readFileSync } from 'node:fs';
import type { UnplacedEvent } from '../../../event.ts';
import { asObject, asText, asTime, defined } from '../../json/json-fields.ts';
import type { Adapter, Emit, FileInfo, Sample, Sidecar } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { CLI_TYPES, flushCall, readCliMessage } from './cli.ts';
import { CODE_TYPES, readCodeRecord } from './code.ts';
import { namesOf, statePath } from './names.ts';
import { type KimiState, startKimi } from './state.ts';

const MAX_STATE_BYTES = 4 * 1024 * 1024;

function start({ path }: FileInfo): KimiState {
  return startKimi(namesOf(path).agent !== undefined);
}

function step(state: KimiState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const message = asObject(fields.message);
  const seconds = typeof fields.timestamp === 'number' ? Math.round(fields.timestamp * 1000) : undefined;
  const at = asTime(seconds ?? fields.time ?? fields.created_at);
  const send = (event: UnplacedEvent): void => emit(placeEvent(event, { line, at }));
  if (fields.type === 'metadata') return undefined;
  if (asText(fields.type) === undefined && message !== undefined)
    return readCliMessage(state, message, line, send);
  return readCodeRecord(state, fields, line, send);
}

/** The last call may still have been growing. */
function finish(state: KimiState, line: number, emit: Emit): void {
  if (state.growing !== undefined) flushCall({ ...state }, (event) => emit(placeEvent(event, { line })));
}

function detect({ records, document }: Sample): boolean {
  if (document) return false;
  return records.some((record) => {
    const fields = asObject(record) ?? {};
    if (fields.type === 'metadata') return asText(fields.protocol_version) !== undefined;
    const type = asText(fields.type) ?? '';
    if (CODE_TYPES.has(type)) return type.includes('.') && typeof fields.time === 'number';
    const message = asObject(fields.message);
    return (
      typeof fields.timestamp === 'number' &&
      asObject(message?.payload) !== undefined &&
      CLI_TYPES.has(asText(message?.type) ?? '')
    );
  });
}

/** A fork begins with the records of its origin; those that count tokens and calls have ids. */
function entryKey(record: unknown): string | undefined {
  const fields = asObject(record);
  const event = asObject(fields?.event);
  const id = asText(event?.uuid) ?? asText(event?.toolCallId);
  return id === undefined || typeof fields?.time !== 'number'
    ? undefined
    : `kimi ${asText(event?.type) ?? ''} ${fields.time} ${id}`;
}

function sidecar(path: string): Sidecar {
  const { session, agent } = namesOf(path);
  const event = {
    kind: 'session',
    agent: 'kimi',
    line: 1,
    ...defined({
      sessionId: session === undefined || agent === undefined ? session : `${session}:${agent}`,
      parentSessionId: agent === undefined ? undefined : session,
      trigger: agent === undefined ? undefined : ('subagent' as const),
      project: projectOf(statePath(path)),
    }),
  } as const;
  return { before: [event], between: [], after: [] };
}

function projectOf(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > MAX_STATE_BYTES) return undefined;
    return asText(asObject(JSON.parse(readFileSync(path, 'utf8')))?.workDir);
  } catch {
    return undefined;
  }
}

export const kimiAdapter: Adapter<KimiState> = { detect, start, step, finish, entryKey, sidecar };
