import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TaskType } from '../../session/profiles/task-type.ts';
import { openStore } from '../../store/open.ts';
import type { SessionRow } from '../../store/schema/session.ts';
import type { Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { testPorts } from '../testing/test-ports.ts';
import { deliveryTargets } from './delivery-targets.ts';
import { scoreSessions } from './score-sessions.ts';
import { sendScores } from './send-scores.ts';
import { KEYS, type ScoreServers, startScoreServers } from './testing/score-servers.ts';

const HOME = resolve('test/fixtures/session/claude-home');

let folder: string;
let store: Store;
let ports: Ports;
let keepers: ScoreServers;
let now = Date.parse('2026-11-16T09:00:00.000Z');
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-send-'));
  store = await openStore(join(folder, 'store.db'));
  ports = testPorts(() => store, { now: () => new Date(now) });
  await scoreSessions({ from: { paths: [], home: HOME, environment: {} }, keep: true }, ports, () => {});
  keepers = await startScoreServers();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const NOBODY = { webhook: '', webhookSecret: 'X', evaluations: '', langfuse: '', phoenix: '' };
const to = (name: 'langfuse' | 'phoenix', environment: Record<string, string> = KEYS) =>
  deliveryTargets({ ...NOBODY, [name]: keepers.url }, environment);

async function rows(): Promise<SessionRow[]> {
  const found: SessionRow[] = [];
  for await (const row of store.readSessions()) found.push(row);
  return found;
}

/** All transcript texts of a minimum length. */
function quotedWords(): string[] {
  const files = globSync(join(HOME, '.claude/**/*.jsonl'));
  const texts = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/"(?:text|content)":\s*"([^"]{12,})"/g)].map(
      ([, text = '']) => text,
    ),
  );
  expect(texts.length).toBeGreaterThan(3);
  return texts;
}

describe.each(['langfuse', 'phoenix'] as const)('%s', (name) => {
  it('is given what was measured of each session, once, and nothing that was said in it', async () => {
    const all = await rows();
    const measured = all.filter(({ q }) => q !== undefined);
    const first = await sendScores({ targets: to(name), filter: {} }, ports);
    expect(first.targets).toEqual([
      { target: name, sent: measured.length, sentBefore: 0, refused: 0, waiting: 0 },
    ]);
    expect(first.sessions).toBe(all.length);
    const quality = [...keepers.kept.values()].filter((one) => one.name === 'assay.session_quality');
    expect(quality.map(({ value }) => value).sort()).toEqual(measured.map(({ q }) => q).sort());
    const outcomes = [...keepers.kept.values()].filter((one) => one.name === 'assay.session_outcome');
    expect(outcomes.map(({ value }) => value).sort()).toEqual(
      measured.flatMap(({ outcome }) => outcome ?? []).sort(),
    );
    const sent = keepers.requests.length;
    const second = await sendScores({ targets: to(name), filter: {} }, ports);
    expect(second.targets).toMatchObject([{ sent: 0, sentBefore: measured.length, waiting: 0 }]);
    expect(keepers.requests).toHaveLength(sent);
    const before = keepers.kept.size;
    const third = await sendScores({ targets: to(name), filter: {}, again: true }, ports);
    expect(third.targets).toMatchObject([{ sent: measured.length }]);
    expect(keepers.kept.size).toBe(before);
    expect(keepers.requests.every(({ status }) => status === 200)).toBe(true);
    const bodies = keepers.requests.map(({ body }) => body).join();
    for (const word of quotedWords()) expect(bodies).not.toContain(word);
  });

  it('is given a trace where nothing but its trace names the session', async () => {
    const [row] = await rows();
    if (row === undefined) throw new Error('there is no session');
    const sessionId = '0af7651916cd43dd8448eb211c80319c';
    await store.appendSessions([{ ...row, source: 'otlp', sessionId, sessionKey: 'of a trace' }]);
    await sendScores({ targets: to(name), filter: { agent: 'otlp' } }, ports);
    expect(new Set([...keepers.kept.values()].map(({ of }) => of))).toEqual(new Set([`trace ${sessionId}`]));
  });

  it('is given later what it did not take, as it is by then', async () => {
    keepers.statuses.push(...Array.from({ length: 3 }, () => 503));
    const failed = await sendScores({ targets: to(name), filter: {} }, ports);
    const [{ waiting = 0, why } = {}] = failed.targets;
    expect(waiting).toBeGreaterThan(1);
    expect(why).toContain('503');
    keepers.statuses.length = 0;
    const [row] = await rows();
    if (row === undefined) throw new Error('there is no session');
    await store.appendSessions([
      { ...row, q: 0.125, revision: 'another', scoredAt: '2026-11-17T00:00:00.000Z' },
    ]);
    now += 60_000;
    const done = await sendScores({ targets: to(name), filter: {} }, ports);
    expect(done.targets).toMatchObject([{ waiting: 0, refused: 0 }]);
    const ofRow = [...keepers.kept.values()].filter(
      (one) => one.of === row.sessionId && one.name === 'assay.session_quality',
    );
    expect(ofRow.map(({ value }) => value)).toEqual([0.125]);
  });

  it('is given nothing that waits for another of its kind, and what was sent there was not sent here', async () => {
    const other = await startScoreServers();
    const there = deliveryTargets({ ...NOBODY, [name]: other.url }, KEYS);
    const measured = (await rows()).filter(({ q }) => q !== undefined);
    const [one, two] = new Set(measured.map(({ taskType }) => taskType));
    const [first, second] = [one, two].map((taskType) => ({ taskType: taskType as TaskType }));
    if (first === undefined || second === undefined) throw new Error('there is one kind of session only');
    const idsOf = (taskType: string | undefined) =>
      new Set(measured.filter((row) => row.taskType === taskType).map(({ sessionId }) => sessionId));
    const given = ({ kept }: ScoreServers) => new Set([...kept.values()].map(({ of }) => of));
    keepers.statuses.push(...Array.from({ length: 3 }, () => 503));
    const failed = await sendScores({ targets: to(name), filter: first }, ports);
    expect(failed.targets).toMatchObject([{ sent: 0, waiting: idsOf(one).size }]);
    await sendScores({ targets: there, filter: second }, ports);
    expect(given(other)).toEqual(idsOf(two));
    keepers.statuses.length = 0;
    now += 60_000;
    const done = await sendScores({ targets: to(name), filter: second }, ports);
    expect(done.targets).toMatchObject([
      { sent: idsOf(one).size + idsOf(two).size, sentBefore: 0, waiting: 0 },
    ]);
    expect(given(keepers)).toEqual(new Set([...idsOf(one), ...idsOf(two)]));
    expect(given(other)).toEqual(idsOf(two));
  });

  it('is not asked again for what it refuses for good, and the rest is sent', async () => {
    keepers.statuses.push(422);
    const { targets } = await sendScores({ targets: to(name), filter: {} }, ports);
    expect(targets).toMatchObject([{ refused: 1, waiting: 0 }]);
    expect(targets[0]?.sent).toBeGreaterThan(0);
  });

  it('with a key that it does not accept takes nothing, and is asked once', async () => {
    const wrong = { LANGFUSE_PUBLIC_KEY: 'pk', LANGFUSE_SECRET_KEY: 'a secret', PHOENIX_API_KEY: 'a secret' };
    const { targets } = await sendScores({ targets: to(name, wrong), filter: {} }, ports);
    expect(targets[0]?.why).toBe('the response was 401 (the key is not accepted)');
    expect(new Set(keepers.requests.map(({ body }) => JSON.parse(body).sessionId ?? 0)).size).toBe(1);
    const stored = JSON.stringify(await store.readDeliveries());
    expect(stored).not.toContain('a secret');
  });
});
