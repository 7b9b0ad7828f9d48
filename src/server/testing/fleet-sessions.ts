/** Sessions of many agents, in the pieces that they send. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { chatSpans, traceRequest } from './chat-spans.ts';
import type { Request } from './fleet.ts';
import { logRequests } from './senders.ts';

const LINES = { 'content-type': 'application/x-ndjson' };
const JSON_TYPE = { 'content-type': 'application/json' };

const FIXTURES = [
  'claude-code-turns/5f0c.jsonl',
  'claude-code-subagents/s-main.jsonl',
  'claude-code-inline/old-1.jsonl',
  'codex-rollout/rollout.jsonl',
  'codex-fork/rollout.jsonl',
  'codex-legacy/rollout.jsonl',
  'codex-exec/run.jsonl',
  'gemini-stream/run.jsonl',
  'gemini-lines/session.jsonl',
  'qwen-code/session.jsonl',
  'stream-json/claude.jsonl',
  'stream-json/cursor.jsonl',
  'task-types/written-first.jsonl',
  'task-types/written-plans.jsonl',
  'droid/stream.jsonl',
  'opencode-run/run.jsonl',
  'openclaw-main/session.jsonl',
  'pi-v1-linear/session.jsonl',
  'pi-v3-tree/session.jsonl',
  'goose/sessions/20260401_101500.jsonl',
  'shows/neutral/session.jsonl',
  'shows/droid/d9.jsonl',
].map((path) => `test/fixtures/session/${path}`);

const CONVERSATIONS = ['talk-a', 'talk-b', 'talk-c', 'talk-d', 'talk-e', 'talk-f'];
const LOGGED = ['logged-a', 'logged-b'];
const TURNS = 3;
const PIECES = 4;

/** A session that is sent, its parts, and the file they make up. */
export type SentFile = {
  readonly file: string;
  readonly text: string;
  readonly requests: readonly Request[];
  readonly end?: Request;
};

/** By offset, and by ids. */
export function sentFiles(): readonly SentFile[] {
  return FIXTURES.map((path, index) => {
    const session = `${basename(path, '.jsonl')}-${index}`;
    const text = `${readFileSync(path, 'utf8').trimEnd()}\n`;
    const lines = inPieces(text.split(/(?<=\n)/).filter((line) => line !== ''));
    const address = `/api/v1/sessions/${session}/events`;
    const way = index % 2 === 0 ? byId : byOffset;
    return {
      file: `events/${session}/${session}.jsonl`,
      text,
      requests: way(address, lines),
      end: { path: `${address}?ended=true`, headers: LINES, body: '' },
    };
  });
}

/** Agents send a few lines at a time. */
function inPieces(lines: readonly string[]): readonly string[] {
  const size = Math.ceil(lines.length / PIECES);
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, index) =>
    lines.slice(index * size, (index + 1) * size).join(''),
  );
}

type Way = (address: string, lines: readonly string[]) => readonly Request[];

const byOffset: Way = (address, lines) => {
  let offset = 0;
  return lines.map((body) => {
    const path = `${address}?offset=${offset}`;
    offset += Buffer.byteLength(body);
    return { path, headers: LINES, body };
  });
};

const byId: Way = (address, lines) =>
  lines.map((body) => ({
    path: address,
    headers: { ...LINES, 'idempotency-key': createHash('sha256').update(body).digest('hex') },
    body,
  }));

export function sentTelemetry(): readonly SentFile[] {
  const traced = CONVERSATIONS.map((name) => {
    const bodies = chatSpans(name, TURNS).map((span) => JSON.stringify(traceRequest([span])));
    return {
      file: `otlp/traces/${name}.jsonl`,
      text: `${bodies.join('\n')}\n`,
      requests: bodies.map((body) => ({ path: '/v1/traces', headers: JSON_TYPE, body })),
    };
  });
  const logged = LOGGED.map((name) => {
    const requests = logRequests(name, TURNS);
    return {
      file: `otlp/logs/${name}.jsonl`,
      text: requests.map(({ body }) => `${body}\n`).join(''),
      requests,
    };
  });
  return [...traced, ...logged];
}
