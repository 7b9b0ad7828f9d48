import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshRows, scoredRows } from '../testing/stored-rows.ts';
import { startTestServer } from '../testing/test-server.ts';

const CAPTURES = '../shared/data/session/otlp-captures';
const FILES = globSync(`${CAPTURES}/*.@(traces|logs).@(json|pb)`).sort();

describe.skipIf(!existsSync(CAPTURES))('exports of real instrumentations', () => {
  it.each(FILES.map((path) => [basename(path), path]))('%s is scored as its file is', async (name, path) => {
    const server = await startTestServer({ withSessions: false });
    const type = name.endsWith('.pb') ? 'application/x-protobuf' : 'application/json';
    const [, kind] = /\.(traces|logs)\./.exec(name) ?? [];
    const body = readFileSync(path);
    const told = await server.ask(`/v1/${kind}`, { method: 'POST', headers: { 'content-type': type }, body });
    expect(told.status).toBe(200);
    const direct = await freshRows(path);
    if (direct.length === 0) return;
    const figures = ({
      sessionId,
      q,
      inputTokens,
      outputTokens,
      turns,
      toolCalls,
      toolErrors,
    }: (typeof direct)[0]) => ({ sessionId, q, inputTokens, outputTokens, turns, toolCalls, toolErrors });
    const rows = await scoredRows(server);
    expect(rows.map(figures)).toEqual(direct.map(figures));
    expect(rows).toEqual(await freshRows(join(server.folder, 'spool')));
  });
});
