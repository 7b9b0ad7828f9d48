import { describe, expect, it } from 'vitest';
import { factsWith, runWith } from './example-session.ts';
import { scoreSession } from './score-session.ts';

const made = {
  artifacts: [{ artifact: 'file', made: 1, failed: 0, lines: [3] }],
  changesAttempted: 1,
  requestTraits: ['code-request'],
  toolKinds: { write: 2 },
} as const;
const scored = (fields: Parameters<typeof runWith>[0]) => scoreSession(factsWith([runWith(fields)]));

describe('a tier above acceptable', () => {
  it('has a ? and low confidence when nothing but the absence of trouble was seen', () => {
    expect(scored(made)).toMatchObject({ tier: 'excellent?', lowConfidence: true });
    const unchecked = { value: 0.5, what: 'nothing checked the last change', line: 3 };
    expect(scored({ ...made, stateChange: unchecked })).toMatchObject({ tier: 'good?', lowConfidence: true });
    expect(scored({})).toMatchObject({ tier: 'excellent?', lowConfidence: true });
  });

  it('stands where an outcome or a closing acceptance was measured', () => {
    const passed = { value: 1, what: 'tests passed', line: 5 };
    expect(scored({ ...made, stateChange: passed })).toMatchObject({
      tier: 'excellent',
      lowConfidence: false,
    });
    const acceptance = { value: 1, what: 'accepted by the person', line: 9 };
    expect(scored({ ...made, acceptance })).toMatchObject({ tier: 'excellent', lowConfidence: false });
    expect(scoreSession(factsWith([runWith(made)]), { outcomes: new Map([['example', 1]]) })).toMatchObject({
      tier: 'excellent',
      lowConfidence: false,
    });
  });

  it('is as sure as its row says for an idle scheduled run, however little of its efficiency is known', () => {
    const idle = { trigger: 'cron', finalReply: 'nothing-to-report', outputChars: 20 } as const;
    for (const run of [idle, { ...idle, tools: { calls: 2, succeeded: 2, firstAttemptSuccesses: 2 } }]) {
      const { tier, lowConfidence } = scored(run);
      expect(['excellent', 'good']).toContain(tier);
      expect(lowConfidence).toBe(false);
    }
  });

  it('has none below, and none where a rule of its own was met', () => {
    expect(scored({ ...made, end: 'error', corrections: 3 }).tier).not.toContain('?');
    expect(scored({ finalReply: 'heartbeat-ok', trigger: 'heartbeat', outputChars: 12 })).toMatchObject({
      specialCase: 'heartbeat-ok',
      tier: 'good',
    });
  });
});
