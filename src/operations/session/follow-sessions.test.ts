import {
  appendFileSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { tempFolder } from '../../session/ingest/testing/temp-folder.ts';
import type { SessionRow } from '../../store/schema/session.ts';
import { defaultPorts, type OpenPorts } from '../default-ports.ts';
import { SessionFollower, type SessionMoment } from './follow-sessions.ts';
import { scoreSessions } from './score-sessions.ts';

const FIXTURES = 'test/fixtures/session';
/** Files that agents append to. */
const GROWING = globSync(`${FIXTURES}/**/*.jsonl`).sort();
const HOUR = 3_600_000;

const folder = tempFolder();
const opened: OpenPorts[] = [];
afterEach(async () => {
  for (const ports of opened.splice(0)) await ports.close();
});

let time = Date.parse('2026-11-01T00:00:00Z');
function portsOf(): OpenPorts {
  const ports = defaultPorts({ now: () => new Date(time) });
  opened.push(ports);
  return ports;
}

const from = (root: string) => ({ paths: [root], home: '/nowhere', environment: {} });

async function rowsOf(ports: OpenPorts): Promise<SessionRow[]> {
  const rows: SessionRow[] = [];
  for await (const row of (await ports.store()).readSessions()) rows.push(row);
  return rows.sort((a, b) => (a.sessionKey < b.sessionKey ? -1 : 1)).map((row) => ({ ...row, scoredAt: '' }));
}

async function freshRows(root: string): Promise<SessionRow[]> {
  const ports = portsOf();
  await scoreSessions({ from: from(root), keep: true }, ports, () => {});
  return rowsOf(ports);
}

let made = 0;
async function following(
  options: { silenceMs?: number } = {},
  begin: (root: string) => void = () => {},
): Promise<{ root: string; follower: SessionFollower; moments: SessionMoment[]; ports: OpenPorts }> {
  const root = join(folder.path, `case-${made++}`);
  mkdirSync(root);
  begin(root);
  const ports = portsOf();
  const moments: SessionMoment[] = [];
  const request = { from: from(root), silenceMs: options.silenceMs ?? HOUR };
  const follower = new SessionFollower(request, ports, (some) => void moments.push(...some));
  await follower.begin();
  return { root, follower, moments, ports };
}

const kindsOf = (moments: SessionMoment[]) => moments.splice(0).map(({ kind }) => kind);

describe('sessions that are followed', () => {
  it('have the rows that scoring their files anew gives, wherever they were cut', async () => {
    const bytesOf = new Map(GROWING.map((path) => [path, readFileSync(path)]));
    const cut = fc.record({
      file: fc.integer({ min: 0, max: 7 }),
      share: fc.double({ min: 0.02, max: 0.7, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(GROWING, { minLength: 2, maxLength: 6 }),
        fc.array(cut, { minLength: 3, maxLength: 8 }),
        async (paths, cuts) => {
          const { root, follower, ports } = await following();
          const done = new Map<string, number>();
          const grow = (path: string, share: number): string => {
            const all = bytesOf.get(path) ?? Buffer.alloc(0);
            const at = done.get(path) ?? 0;
            const to = Math.min(all.length, at + Math.ceil(all.length * share));
            const target = join(root, path.slice(FIXTURES.length));
            mkdirSync(dirname(target), { recursive: true });
            appendFileSync(target, all.subarray(at, to));
            done.set(path, to);
            return target;
          };
          for (const [round, { file, share }] of cuts.entries()) {
            follower.touch([grow(paths[file % paths.length] as string, share)]);
            if (round % 2 === 0) await follower.settled();
          }
          await follower.settled();
          // A file not yet recognised as a transcript is not a session. The store may have one from a shorter
          // beginning.
          const [live, fresh] = [await rowsOf(ports), await freshRows(root)];
          const keys = new Set(fresh.map(({ sessionKey }) => sessionKey));
          expect(live.filter(({ sessionKey }) => keys.has(sessionKey))).toEqual(fresh);
          await follower.stop();
        },
      ),
      { numRuns: 25 },
    );
  }, 120_000);

  const TURNS = readFileSync(`${FIXTURES}/claude-code-turns/5f0c.jsonl`, 'utf8').split(/(?<=\n)/);
  const write = (root: string, lines: readonly string[]) => {
    const path = join(root, '5f0c.jsonl');
    writeFileSync(path, lines.join(''));
    return path;
  };

  it('start, change, end when nothing comes, and go on without being counted twice', async () => {
    const { root, follower, moments, ports } = await following({ silenceMs: 1000 });
    const half = Math.ceil(TURNS.length / 2);
    const path = write(root, TURNS.slice(0, half));
    follower.touch([path]);
    await follower.settled();
    expect(kindsOf(moments)).toEqual(['started']);
    time += 2000;
    await follower.settled();
    expect(kindsOf(moments)).toEqual(['ended']);
    await follower.settled();
    expect(kindsOf(moments)).toEqual([]);
    appendFileSync(path, TURNS.slice(half).join(''));
    follower.touch([path]);
    await follower.settled();
    expect(kindsOf(moments)).toEqual(['updated']);
    time += 2000;
    await follower.settled();
    expect(kindsOf(moments)).toEqual(['ended']);
    expect(await rowsOf(ports)).toEqual(await freshRows(root));
    await follower.stop();
  });

  it('end when somebody who knows says so', async () => {
    const { root, follower, moments } = await following();
    const path = write(root, TURNS);
    follower.end(path);
    await follower.settled();
    expect(kindsOf(moments)).toEqual(['started', 'ended']);
    await follower.stop();
  });

  it('are read anew when their file is cut short, replaced or changed where it was read already', async () => {
    const { root, follower, ports } = await following();
    const path = write(root, TURNS);
    follower.touch([path]);
    await follower.settled();
    write(root, TURNS.slice(0, -2));
    follower.touch([path]);
    await follower.settled();
    expect(await rowsOf(ports)).toEqual(await freshRows(root));
    writeFileSync(`${path}.new`, TURNS.slice(0, -1).join(''));
    renameSync(`${path}.new`, path);
    follower.touch([path]);
    await follower.settled();
    expect(await rowsOf(ports)).toEqual(await freshRows(root));
    await follower.stop();
  });

  it('are looked at by all their bytes when they end', async () => {
    const { root, follower, ports } = await following({ silenceMs: 1000 });
    const padding = `${JSON.stringify({ type: 'summary', summary: 'x'.repeat(5000), leafUuid: 'a' })}\n`;
    const path = write(root, [...TURNS, padding]);
    follower.touch([path]);
    await follower.settled();
    // Longer, and changed in the middle, where growing files are not checked.
    const model = /"model":"[^"]*"/g;
    write(root, [
      ...TURNS.map((line) => line.replace(model, '"model":"claude-other-model"')),
      padding,
      padding,
    ]);
    follower.touch([path]);
    await follower.settled();
    time += 2000;
    await follower.settled();
    expect(await rowsOf(ports)).toEqual(await freshRows(root));
    await follower.stop();
  });

  it('of a file that is gone stay in the store', async () => {
    const { root, follower, ports } = await following();
    const path = write(root, TURNS);
    follower.touch([path]);
    await follower.settled();
    rmSync(path);
    follower.touch([path]);
    await follower.settled();
    expect((await rowsOf(ports)).length).toBe(1);
    await follower.stop();
  });
});

it.each([
  ['is gone', (path: string) => rmSync(path)],
  [
    'was written anew',
    (path: string) => writeFileSync(path, readFileSync(`${FIXTURES}/claude-code-turns/5f0c.jsonl`)),
  ],
])('waits no longer for a session whose file %s', async (_, change) => {
  const { root, follower } = await following({ silenceMs: 60_000 });
  const path = join(root, '5f0c.jsonl');
  const lines = readFileSync(`${FIXTURES}/claude-code-turns/5f0c.jsonl`, 'utf8').split('\n');
  writeFileSync(path, lines.slice(3, -2).join('\n'));
  follower.touch([path]);
  await follower.settled();
  expect(follower.counts).toEqual({ sessions: 1, open: 1 });
  change(path);
  time += HOUR;
  follower.touch([path]);
  await follower.settled();
  time += HOUR;
  await follower.settled();
  expect(follower.counts.open).toBe(0);
  await follower.stop();
});

describe('sessions that are sent', () => {
  it('are read as a file of the same lines, and stay one session though their beginning comes last', async () => {
    const lines = readFileSync(`${FIXTURES}/claude-code-turns/5f0c.jsonl`, 'utf8').split(/(?<=\n)/);
    const half = lines.length >> 1;
    const ports = portsOf();
    const { intake } = await ports.store();
    const sent = { streams: [], isShared: true };
    const root = join(folder.path, `case-${made++}`);
    mkdirSync(root);
    const request = { from: from(root), silenceMs: HOUR, sent };
    const follower = new SessionFollower(request, ports, () => {});
    await follower.begin();
    const receive = async (position: number, part: readonly string[]) => {
      const content = Buffer.from(part.join(''));
      await intake.append([{ stream: 'events/5f0c', key: `id ${position}`, position, content }]);
      follower.addStreams((await intake.streams()).streams);
      await follower.settled();
    };
    await receive(half, lines.slice(half));
    const [part, ...none] = await rowsOf(ports);
    expect(none).toEqual([]);
    await receive(0, lines.slice(0, half));
    const [whole, ...others] = await rowsOf(ports);
    expect(others).toEqual([]);
    expect(whole?.sessionKey).toBe(part?.sessionKey);
    writeFileSync(join(root, '5f0c.jsonl'), lines.join(''));
    const [file] = await freshRows(root);
    expect([whole?.q, whole?.turns, whole?.costUsd]).toEqual([file?.q, file?.turns, file?.costUsd]);
    await follower.stop();
  });
});
