import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { freshRows, rowsOfSent, scoredRows } from '../testing/stored-rows.ts';
import { startTestServer } from '../testing/test-server.ts';

const CAPTURES = '../shared/data/session/otlp-captures';
const FILES = globSync(`${CAPTURES}/*.@(traces|logs).@(json|pb)`).sort();

/** A session may come in either encoding and as either signal: what one server gets is one of each. */
const GROUPS = ['traces.json', 'traces.pb', 'logs.json', 'logs.pb'].flatMap((end) => {
  const files = FILES.filter((path) => path.endsWith(end));
  return files.length === 0 ? [] : [{ end, files }];
});

type Row = Awaited<ReturnType<typeof freshRows>>[number];

const figures = ({ sessionId, q, inputTokens, outputTokens, turns, toolCalls, toolErrors }: Row) => ({
  sessionId,
  q,
  inputTokens,
  outputTokens,
  turns,
  toolCalls,
  toolErrors,
});

describe.skipIf(!existsSync(CAPTURES))('exports of real instrumentations', () => {
  it.each(GROUPS)('*.$end are scored as the files are', async ({ end, files }) => {
    const server = await startTestServer({ withSessions: false });
    const type = end.endsWith('.pb') ? 'application/x-protobuf' : 'application/json';
    for (const path of files) {
      const answer = await server.ask(`/v1/${end.split('.')[0]}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: readFileSync(path),
      });
      expect(answer.status, path).toBe(200);
    }
    const rows = await scoredRows(server);
    for (const path of files) {
      const direct = await freshRows(path);
      const sent = rows.filter(({ sessionId }) => direct.some((row) => row.sessionId === sessionId));
      expect(sent.map(figures), path).toEqual(direct.map(figures));
    }
    expect(rows).toEqual(await rowsOfSent(server.store));
  });
});
