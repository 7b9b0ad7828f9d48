import { describe, expect, it } from 'vitest';
import type { LiveFile } from '../../session/live/live-transcripts.ts';
import { ReplicaRows, replicaPath } from './replica-rows.ts';

const FOLDER = '/cache/replica/files';

function fileAt(path: string, lines: number): LiveFile {
  return { path, reading: { path, lines, skipped: {}, unknownRecords: {} } } as unknown as LiveFile;
}

it('dates a file that it has not heard of before every row that rests on more', () => {
  const path = `${FOLDER}/events/a/a.jsonl`;
  const rows = new ReplicaRows({ folder: FOLDER, received: [] });
  const dateOf = (lines: number) => rows.dates([fileAt(path, lines)], () => 1).get(path) ?? '';
  const unheard = dateOf(5);
  rows.hear([{ path, receivedAt: Date.UTC(2026, 0, 1) }]);
  const heard = dateOf(5);
  expect(unheard < heard).toBe(true);
  expect(heard < dateOf(6)).toBe(true);
});

it('leaves files of this machine to its clock', () => {
  const rows = new ReplicaRows({ folder: FOLDER, received: [] });
  expect(rows.dates([fileAt('/home/dev/.claude/a.jsonl', 5)], () => 1).size).toBe(0);
});

describe('a name that all servers have for a file', () => {
  it.each([
    ['spool:of/61/events/x.jsonl', '/copy/of/61/events/x.jsonl'],
    ['/home/ann/x.jsonl', '/home/ann/x.jsonl'],
    ['spool:../secret', 'spool:../secret'],
    ['spool:of/../../copy-of-others/x', 'spool:of/../../copy-of-others/x'],
  ])('%s is %s here', (name, path) => {
    expect(replicaPath('/copy', name)).toBe(path);
  });
});
