import { describe, expect, it } from 'vitest';
import { runWith } from './example-session.ts';
import { factsOfEvents, reply, user } from './fold/testing/fold-events.ts';
import { scoreSession } from './score-session.ts';
import { compactions } from './signals/compactions.ts';
import { subagentSuccess } from './signals/subagent-success.ts';
import { contextWith } from './signals/testing/context.ts';
import { unobservableIn } from './unobservable.ts';

const facts = (source: string) => ({ ...factsOfEvents(user('hello'), reply('Hello.')), source });
const context = (source: string) => contextWith({ unobservable: unobservableIn(facts(source), runWith({})) });

describe('what a source would not show', () => {
  it('is not taken for something that did not happen', () => {
    expect(compactions.read(runWith({}), context('claude-code'))).toMatchObject({ value: 1 });
    expect(compactions.read(runWith({}), context('otlp'))).toMatchObject({ measured: false });
    expect(compactions.read(runWith({ compactions: 1 }), context('otlp'))).toMatchObject({ value: 0.8 });
    expect(subagentSuccess.read(runWith({}), context('otlp'))).toMatchObject({ value: 1 });
    expect(subagentSuccess.read(runWith({}), context('swe-agent'))).toMatchObject({ measured: false });
  });

  it('is nearly everything where the end alone was printed', () => {
    const usage = { input: 100, output: 50, cacheRead: 0, cacheWrite: 0 };
    const said = reply('I renamed the function and its callers.', { model: 'm', usage });
    const whole = factsOfEvents({ kind: 'session' }, said);
    const end = factsOfEvents({ kind: 'session', endOnly: true }, said);
    expect(scoreSession(whole).categories.execution).toBe(1);
    const scored = scoreSession(end);
    expect(scored.categories).toEqual({ completion: expect.any(Number) });
    expect(scored).toMatchObject({ lowConfidence: true });
    expect(scored.coverage).toBeLessThan(0.5);
  });
});
