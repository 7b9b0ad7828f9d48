import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { appendLedger, type NewEntry, readLedger } from './ledger.ts';
import { readPrompt, SHIPPED_PROMPTS, surveyPrompts } from './prompt-folder.ts';

it('says of each version what was decided, and whether its file is still what it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-survey-'));
  const file = (name: string) => join(folder, `${name}.md`);
  const decided = (action: NewEntry['action'], prompt: string) =>
    appendLedger(folder, {
      at: '2026-01-29T00:00:00.000Z',
      who: 'Ada',
      action,
      prompt,
      sha256: readPrompt(folder, prompt).hash,
      reasons: [],
    });
  const states = () =>
    Object.fromEntries(
      surveyPrompts(folder, readLedger(folder)).map(({ name, state, file: is }) => [name, [state, is]]),
    );
  try {
    for (const minor of [0, 1, 2, 3, 4]) writeFileSync(file(`a-v1.${minor}`), `text ${minor}`);
    await decided('promoted', 'a-v1.0');
    await decided('rejected', 'a-v1.1');
    await decided('promoted', 'a-v1.2');
    await decided('created', 'a-v1.3');
    expect(states()).toEqual({
      'a-v1.0': ['promoted before', 'as recorded'],
      'a-v1.1': ['rejected', 'as recorded'],
      'a-v1.2': ['in force', 'as recorded'],
      'a-v1.3': ['not promoted', 'as created'],
      'a-v1.4': ['not promoted', 'not recorded'],
    });
    appendFileSync(file('a-v1.3'), ' and more');
    appendFileSync(file('a-v1.2'), ' and more');
    rmSync(file('a-v1.0'));
    expect(states()).toMatchObject({
      'a-v1.0': ['promoted before', 'deleted'],
      'a-v1.2': ['in force', 'changed'],
      'a-v1.3': ['not promoted', 'draft'],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('finds the shipped prompts as the shipped ledger recorded them', () => {
  const ledger = readLedger(SHIPPED_PROMPTS);
  expect(ledger.fault).toBeUndefined();
  const shipped = surveyPrompts(SHIPPED_PROMPTS, ledger);
  expect(shipped.length).toBeGreaterThanOrEqual(3);
  for (const { name, file } of shipped) expect([name, file]).toEqual([name, 'as created']);
});
