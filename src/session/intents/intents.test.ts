import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { factsWith, runWith } from '../example-session.ts';
import type { TaskType } from '../profiles/task-type.ts';
import { scoreSession } from '../score-session.ts';
import { fitIntents, type LabelledRun, type LabelledSource, validateIntents } from './fit-intents.ts';
import { featuresOf, intentOf, intentOfFeatures } from './intent-model.ts';
import { readIntents, writeIntents } from './intents-file.ts';

const writes = runWith({ toolKinds: { write: 3 }, requestTraits: ['code-words'] });
const asks = runWith({ turns: 4, requestTraits: ['advice-words', 'question'] });

/** People here call work with records research, whatever the rules say. */
const labelled = (n: number): LabelledSource[] =>
  Array.from({ length: n }, (_, i) => {
    const isOdd = i % 2 === 1;
    const run = isOdd
      ? runWith({ turns: 3, toolKinds: { record: 1 + (i % 5) } })
      : runWith({ toolKinds: { write: 1 + (i % 4), shell: 1 } });
    const byRules = scoreSession(factsWith([run])).taskType;
    const taskType: TaskType = isOdd ? 'research' : byRules;
    return { features: featuresOf(run), taskType, byRules, source: `project-${i % 8}` };
  });

describe('what was learnt', () => {
  it('says what the rules say while there are no labels', () => {
    const weights = fitIntents([]);
    for (const run of [writes, asks])
      expect(intentOf({ name: 'none', weights }, run).taskType).toBe(scoreSession(factsWith([run])).taskType);
  });

  it('finds what people say where the rules say something else, on projects it has not seen', () => {
    const { verdict, rules, model, confusion } = validateIntents(labelled(80));
    expect(verdict).toBe('take the model');
    expect(rules.share).toBeCloseTo(0.5, 9);
    expect(model.share).toBe(1);
    expect(confusion.reduce((sum, { n }) => sum + n, 0)).toBe(80);
  });

  it('keeps the rules where labels agree with them, and says nothing on few', () => {
    const agreeing = labelled(80).map((one) => ({ ...one, taskType: one.byRules }));
    expect(validateIntents(agreeing).verdict).toBe('keep the rules');
    expect(validateIntents(labelled(20)).verdict).toBe('too few to tell');
    expect(validateIntents(labelled(80).map((one) => ({ ...one, source: 'one' }))).verdict).toBe(
      'too few to tell',
    );
    expect(validateIntents([])).toMatchObject({ n: 0, verdict: 'too few to tell' });
  });

  it('does not learn from one contrary label what it would have to unlearn', () => {
    const odd = labelled(2)[1] as LabelledRun;
    const { probability } = intentOfFeatures({ weights: fitIntents([odd]) }, featuresOf(writes));
    expect(probability).toBeGreaterThan(0.6);
    expect(intentOfFeatures({ weights: fitIntents([odd]) }, featuresOf(writes)).taskType).toBe('coding');
  });

  it('decides in a score, says why, and gives the scores a name of their own', () => {
    const model = { name: 'intents-test', weights: fitIntents(labelled(80)) };
    const facts = factsWith([runWith({ turns: 3, toolKinds: { record: 2 } })]);
    const scored = scoreSession(facts, { intents: model });
    expect(scored.taskType).toBe('research');
    expect(scored.taskTypeReason).toMatch(/^learnt from your labels \(\d+%\): .*tools: record/);
    expect(scored.weights).toBe(`${scoreSession(facts).weights}+intents-test`);
    const known = scoreSession(facts, { intents: model, taskTypes: new Map([[facts.sessionId, 'chat']]) });
    expect(known.taskType).toBe('chat');
  });

  it('is the same after it was written and read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-intents-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const model = { name: 'intents-test', weights: fitIntents(labelled(40)) };
    writeIntents(join(folder, 'intents.json'), model);
    expect(readIntents(join(folder, 'intents.json'))).toEqual(model);
  });
});
