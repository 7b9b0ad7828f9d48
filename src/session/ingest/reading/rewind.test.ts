import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFile } from './read-file.ts';

describe('a transcript in which messages were taken back', () => {
  it('counts what was taken back apart, also when nothing follows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-'));
    const path = join(folder, 'session-rewound.jsonl');
    const time = (second: number) => `2026-11-10T09:00:${String(second).padStart(2, '0')}.000Z`;
    const reply = (id: string, second: number, input: number, output: number) => ({
      id,
      type: 'gemini',
      content: 'a reply of some length',
      timestamp: time(second),
      model: 'gemini-2.5-pro',
      tokens: { input, output, cached: 0, thoughts: 0, tool: 0, total: input + output },
    });
    const lines = [
      { sessionId: 'rewound', projectHash: 'h', startTime: time(0), lastUpdated: time(9), kind: 'main' },
      { id: 'u1', type: 'user', content: 'hi', timestamp: time(1) },
      reply('g2', 2, 100, 10),
      { id: 'u3', type: 'user', content: 'do this', timestamp: time(3) },
      reply('g4', 4, 1000, 100),
      { $rewindTo: 'u3' },
    ];
    writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    const [facts] = (await readFile(path)).sessions;
    expect(facts?.runs.map((run) => run.turns)).toEqual([1]);
    expect(facts?.runs[0]?.models[0]?.usage).toMatchObject({ input: 100, output: 10 });
    expect(facts?.abandoned).toMatchObject({ entries: 2, usage: { input: 1000, output: 100 } });
    rmSync(folder, { recursive: true });
  });

  it('is found behind any number of records that no format knows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-'));
    const path = join(folder, 'late.jsonl');
    const strange = Array.from({ length: 450 }, () => '{"type":"zzz"}');
    const good = readFileSync(
      'test/fixtures/session/claude-home/.claude/projects/-work-shop/11111111-aaaa-4aaa-8aaa-000000000001.jsonl',
      'utf8',
    );
    writeFileSync(path, `${strange.join('\n')}\n${good}`);
    const { sessions } = await readFile(path);
    expect(sessions[0]?.runs[0]?.models[0]?.usage.output).toBe(360);
    rmSync(folder, { recursive: true });
  });
});
