import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { projectFolder, projectOfFile } from './project-folder.ts';
import { Replica } from './replica.ts';

function openReplica(): Replica {
  const within = mkdtempSync(join(tmpdir(), 'assay-replica-'));
  onTestFinished(() => rmSync(within, { recursive: true }));
  const replica = new Replica(join(within, 'own'));
  onTestFinished(() => replica.close());
  return replica;
}

it('keeps what was sent for a project apart, by names that lead back to the project', () => {
  const replica = openReplica();
  const file = [...projectFolder('check/out'), 'events', 'ab', 'session.jsonl'].join('/');
  const path = replica.pathOf(file);
  expect(projectOfFile(path, [replica.folder])).toBe('check/out');
  expect(projectOfFile(replica.pathOf('events/ab/session.jsonl'), [replica.folder])).toBeUndefined();
});

it('makes no file outside its folder, whatever the store says', () => {
  const replica = openReplica();
  for (const file of [
    '../x.jsonl',
    'of/../x/y.jsonl',
    'of/zz/events/x.jsonl/..',
    '/etc/x.jsonl',
    'of/6f/../../x.jsonl',
  ])
    expect(() => replica.pathOf(file)).toThrow('is no name that Assay gives a file');
});
