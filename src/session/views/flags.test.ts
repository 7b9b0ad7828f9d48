import { expect, it } from 'vitest';
import { renderMarkdown } from '../../report/markdown.ts';
import type { LowSession } from '../results.ts';
import { flagView } from './flags.ts';

const low = (more: Partial<LowSession>): LowSession => ({
  sessionKey: 'k',
  sessionId: 's',
  source: 'x',
  taskType: 'chat',
  q: 0.8,
  tier: 'good?',
  coverage: 1,
  runs: 1,
  skippedLines: 0,
  scorerVersion: 'v',
  costUsd: 1.5,
  why: 'it said nothing',
  ...more,
});
const shown = (flagged: LowSession) =>
  renderMarkdown(
    flagView({
      below: 0.9,
      flagged: [flagged],
      flaggedInAll: 1,
      sessions: 1,
      scored: 1,
      unread: [],
      unreadable: [],
    }),
  );

it('shows the doubt about a Q that nothing but the absence of trouble stands behind', () => {
  expect(shown(low({}))).toMatch(/0\.80\?/);
  expect(shown(low({ tier: 'good' }))).not.toMatch(/0\.80\?/);
});

it('marks a cost that is a lower bound', () => {
  expect(shown(low({ costAtLeast: 1 }))).toMatch(/cost ≥[\s\S]*lower bounds/);
  expect(shown(low({}))).not.toMatch(/≥/);
});
