/** Agents that send what they do, as several would at once. */

import { readFileSync } from 'node:fs';
import { chatSpans, traceRequest } from './chat-spans.ts';
import type { Sender } from './kill-rounds.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const LINES_TYPE = { 'content-type': 'application/x-ndjson' };
const FIXTURE = 'test/fixtures/session/claude-code-turns/5f0c.jsonl';

/** Each has about `count` things to say. */
export function senders(count: number): readonly Sender[] {
  return [
    tracing('traced-a', count),
    tracing('traced-b', count),
    logging('logged', count),
    byOffset('by-offset', count),
    byId('by-id', count),
  ];
}

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });

function tracing(name: string, count: number): Sender {
  const requests = chatSpans(name, count).map((span) => ({
    path: '/v1/traces',
    headers: JSON_TYPE,
    body: JSON.stringify(traceRequest([span])),
  }));
  return { name, requests };
}

function logging(name: string, count: number): Sender {
  return { name, requests: logRequests(name, count) };
}

/** One record each, as Claude Code sends them. */
export function logRequests(name: string, count: number) {
  return Array.from({ length: count }, (_, turn) => {
    const event = ['user_prompt', 'api_request', 'tool_result'][turn % 3] ?? '';
    const record = {
      timeUnixNano: `${1_767_225_600 + turn}000000000`,
      body: { stringValue: `claude_code.${event}` },
      attributes: [
        text('event.name', event),
        text('session.id', name),
        text('prompt', `Question ${turn}?`),
        text('input_tokens', '100'),
        text('output_tokens', '10'),
        text('tool_name', 'Bash'),
        text('success', 'true'),
      ],
    };
    const body = { resourceLogs: [{ resource: { attributes: [] }, scopeLogs: [{ logRecords: [record] }] }] };
    return { path: '/v1/logs', headers: JSON_TYPE, body: JSON.stringify(body) };
  });
}

/** The lines of a transcript, over and over, as a longer session of another name. */
function transcriptOf(name: string, count: number): readonly string[] {
  const lines = readFileSync(FIXTURE, 'utf8').trimEnd().split('\n');
  return Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / lines.length);
    const line = (lines[index % lines.length] ?? '').replaceAll('5f0c', name);
    return `${line.replaceAll(/"(uuid|parentUuid|id|tool_use_id)":"([^"]*)"/g, `"$1":"${name}-$2-${round}"`)}\n`;
  });
}

function byOffset(name: string, count: number): Sender {
  let offset = 0;
  const requests = transcriptOf(name, count).map((body) => {
    const path = `/api/v1/sessions/${name}/events?offset=${offset}`;
    offset += Buffer.byteLength(body);
    return { path, headers: LINES_TYPE, body };
  });
  return { name, requests };
}

function byId(name: string, count: number): Sender {
  const path = `/api/v1/sessions/${name}/events`;
  const requests = transcriptOf(name, count).map((body, index) => ({
    path,
    headers: { ...LINES_TYPE, 'idempotency-key': `event-${index}` },
    body,
  }));
  return { name, requests };
}
