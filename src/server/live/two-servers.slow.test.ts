import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { verifyAudit } from '../../operations/audit/verify-audit.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { openStore } from '../../store/open.ts';
import { keyedFetch } from '../../testing/server-keys.ts';
import { type Node, startNode } from '../testing/fleet.ts';
import { scoredRows, sentLines } from '../testing/stored-rows.ts';

const SESSIONS = 20;
const LINES = 4;

it('two servers over one SQLite store keep all that both acknowledged, as one server would', async () => {
  const root = mkdtempSync(join(tmpdir(), 'assay-two-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const store = join(root, 'assay.db');
  const nodes = await Promise.all(
    ['one', 'two'].map((name) => startNode({ folder: join(root, name), store })),
  );
  const nodeOf = (n: number) => nodes[n % 2] as Node;
  const post = async (n: number, path: string, headers: Record<string, string>, body: string) => {
    for (;;) {
      const answer = await keyedFetch(new URL(path, nodeOf(n).url), { method: 'POST', headers, body });
      // A store that the other one holds is asked again, as clients do.
      if (answer.status !== 503) return expect([path, answer.ok]).toEqual([path, true]);
    }
  };
  const lineOf = (session: string, n: number) =>
    `${JSON.stringify({
      type: 'user',
      uuid: `${session}-${n}`,
      parentUuid: n === 0 ? null : `${session}-${n - 1}`,
      sessionId: session,
      version: '2.1.0',
      timestamp: new Date(1.767e12 + n * 1000).toISOString(),
      message: { role: 'user', content: `Do part ${n} of ${session}.` },
    })}\n`;
  const json = { 'content-type': 'application/json' };
  const sent: string[] = [];
  await Promise.all(
    Array.from({ length: SESSIONS }, async (_, i) => {
      const session = `shared-${i}`;
      for (let n = 0; n < LINES; n += 1) {
        const line = lineOf(session, n);
        const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': `${n}` };
        await post(
          i + n,
          `/api/v1/sessions/${session}/events${n === LINES - 1 ? '?ended=true' : ''}`,
          headers,
          line,
        );
        sent.push(line.trimEnd());
      }
      await post(
        i,
        '/api/v1/feedback',
        json,
        JSON.stringify({ id: `f-${i}`, output_id: `o-${i}`, thumb: 'up', author: 'ann' }),
      );
    }),
  );
  const rows = await scoredRows({ store });
  expect(rows).toHaveLength(SESSIONS);
  await expect
    .poll(
      async () =>
        (await scoredRows({ store })).map(({ facts }) => (facts as { file?: { lines: number } }).file?.lines),
      {
        timeout: 60_000,
      },
    )
    .toEqual(Array.from({ length: SESSIONS }, () => LINES));
  for (let i = 0; i < SESSIONS; i += 1)
    await post(i, `/api/v1/sessions/shared-${i}/ratings`, json, '{"rating":4}');
  await Promise.all(nodes.map((node) => node.kill('SIGTERM')));
  const stored = await sentLines(store);
  expect(sent.filter((line) => !stored.has(line))).toEqual([]);
  const opened = await openStore(store);
  expect(await opened.readFeedback()).toHaveLength(SESSIONS);
  expect(await opened.readRatings()).toHaveLength(SESSIONS);
  const { faults, entries } = await verifyAudit({}, { ...defaultPorts(), store: async () => opened });
  expect(faults).toEqual([]);
  expect(entries).toBeGreaterThanOrEqual(SESSIONS);
  await opened.close();
}, 180_000);
