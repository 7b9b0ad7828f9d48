/** Everything a server acknowledges, on a disk that fills up, with kills at random moments. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { verifyAudit } from '../../operations/audit/verify-audit.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { startBlind } from '../../operations/workflow/blind.ts';
import { openStore } from '../../store/open.ts';
import { alert } from '../../store/testing/records.ts';
import { seededByRun } from '../../testing/seed.ts';
import { keyedFetch } from '../../testing/server-keys.ts';
import { readSession } from '../../workflow/blind/folder.ts';
import { chatSpans, traceRequest } from '../testing/chat-spans.ts';
import { type Node, startNode } from '../testing/fleet.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { sentLines } from '../testing/stored-rows.ts';

const chance = seededByRun();
const DISK_KB = 12_000;
const ROUNDS = 3;
const EACH = 12;
const JSON_TYPE = { 'content-type': 'application/json' };
const PADDING = 'a word '.repeat(1500);

type Write = {
  readonly kind: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body: string;
  /** How it is found again. */
  readonly id: string;
};

/** One of each kind, under a name of its own. */
function writesOf(round: number, n: number): Write[] {
  const id = `${round}-${n}`;
  const post = (kind: string, path: string, body: object): Write => ({
    kind,
    path,
    body: JSON.stringify(body),
    id,
  });
  const line = {
    type: 'user',
    uuid: id,
    sessionId: `sent-${id}`,
    version: '2.1.0',
    message: { role: 'user', content: id + PADDING },
  };
  const [span] = chatSpans(`traced-${id}`, 1);
  return [
    {
      kind: 'events',
      path: `/api/v1/sessions/sent-${id}/events`,
      headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': id },
      body: `${JSON.stringify({ ...line, timestamp: '2026-01-01T00:00:00Z' })}\n`,
      id,
    },
    post('spans', '/v1/traces', traceRequest(span === undefined ? [] : [span])),
    post('requests', '/api/v1/decompositions', {
      id: `r-${id}`,
      at: '2026-11-02T10:00:30Z',
      text: PADDING,
      output: { concepts: [] },
    }),
    post('feedback', '/api/v1/feedback', {
      id: `f-${id}`,
      output_id: 'r-0-0',
      thumb: 'up',
      author: 'ann',
      comment: PADDING.slice(0, 3900),
    }),
    post('ratings', '/api/v1/sessions/first/ratings', { rating: 3, note: `${id} ${PADDING}`.slice(0, 1500) }),
    post('alerts', `/api/v1/alerts/alert-${id}/acknowledge`, {}),
    post('blind', '/api/v1/workflow/blind/assessments', {
      folder: 'blind',
      by: `ada ${id}`,
      answers: [{ finding: 'F01', judgement: 'CANNOT_TELL' }],
    }),
  ];
}

it('lose nothing that was acknowledged: events, spans, requests, feedback, ratings, alerts, blind steps, audit', async ({
  skip,
}) => {
  const disk = smallDisk(DISK_KB);
  if (disk === undefined) return skip('this system lets nobody mount a small disk');
  const { folder } = disk;
  const store = join(folder, 'assay.db');
  mkdirSync(join(folder, 'given'));
  cpSync('examples/workflow', join(folder, 'given'), { recursive: true });
  const blind = join(folder, 'blind');
  const inputs = {
    truth: join(folder, 'given/truth/webhook-relay.yaml'),
    runs: [join(folder, 'given/runs/review-1')],
    documents: join(folder, 'given/documents/webhook-relay'),
  };
  startBlind({ inputs, folder: blind, by: 'ann', evaluators: [] }, { now: () => new Date() });
  const first = await openStore(store);
  await first.appendAlerts(
    Array.from({ length: ROUNDS }, (_, round) =>
      Array.from({ length: EACH }, (_, n) => alert(`alert-${round}-${n}`)),
    ).flat(),
  );
  await first.close();
  const acknowledged: Write[] = [];
  const refused = new Set<number>();
  const send = async (node: Node, write: Write): Promise<void> => {
    const headers = write.headers ?? JSON_TYPE;
    const answer = await keyedFetch(new URL(write.path, node.url), {
      method: 'POST',
      headers,
      body: write.body,
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer === undefined || text === undefined) return;
    if (answer.ok) acknowledged.push(write);
    else refused.add(answer.status);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const node = await startNode({ folder, store });
    if (round === 0) {
      const lines = readFileSync('test/fixtures/session/claude-code-turns/5f0c.jsonl', 'utf8').replaceAll(
        '5f0c',
        'first',
      );
      const init = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: lines };
      await keyedFetch(new URL('/api/v1/sessions/first/events?ended=true', node.url), init);
      await expect
        .poll(async () => (await keyedFetch(new URL('/api/v1/sessions/first', node.url))).status, {
          timeout: 60_000,
        })
        .toBe(200);
    }
    const killed = sleep(1500 + chance.below(1500)).then(() => node.kill());
    for (let n = 0; n < EACH; n += 1) {
      // In the middle of a round there is no room left, and then there is again.
      if (n === 4) disk.fill();
      if (n === 8) disk.free();
      await Promise.all(writesOf(round, n).map((write) => send(node, write)));
    }
    await killed;
  }
  // What is left of a write that was cut is taken up or cut off by the next one.
  const opened = await openStore(store);
  const ports = { ...defaultPorts(), store: async () => opened };
  const lines = await sentLines(store);
  const requests = new Set((await opened.readDecompositions()).map(({ id }) => id));
  const feedback = new Set((await opened.readFeedback()).map(({ feedbackId }) => feedbackId));
  const notes = (await opened.readRatings()).map(({ note = '' }) => note);
  const events = new Set((await opened.readAlertEvents()).map(({ alertId }) => alertId));
  const audited = (await opened.readAudit()).map(({ what, target }) => `${what} ${target}`);
  const answered = readSession(blind).state.evaluators;
  const isThere: Readonly<Record<string, (write: Write) => boolean>> = {
    events: ({ body }) => lines.has(body.trimEnd()),
    spans: ({ body }) => lines.has(body),
    requests: ({ id }) => requests.has(`r-${id}`) || requests.has(`@:r-${id}`),
    feedback: ({ id }) => feedback.has(`f-${id}`),
    ratings: ({ id }) => notes.some((note) => note.startsWith(`${id} `)),
    alerts: ({ id }) =>
      events.has(`alert-${id}`) && audited.includes(`POST /api/v1/alerts/{id}/acknowledge alert-${id}`),
    blind: ({ id }) => answered.get(`ada ${id}`)?.assess.has('F01') === true,
  };
  expect(
    acknowledged
      .filter((write) => isThere[write.kind]?.(write) !== true)
      .map(({ kind, id }) => `${kind} ${id}`),
  ).toEqual([]);
  expect(new Set(acknowledged.map(({ kind }) => kind)).size).toBe(Object.keys(isThere).length);
  expect(
    [...refused].every((status) => status === 503),
    [...refused].join(),
  ).toBe(true);
  expect(refused.size).toBeGreaterThan(0);
  const { faults } = await verifyAudit({}, ports);
  expect(faults).toEqual([]);
  expect(audited.filter((one) => one.includes('ratings')).length).toBeGreaterThanOrEqual(
    acknowledged.filter(({ kind }) => kind === 'ratings').length,
  );
  await opened.close();
}, 180_000);
