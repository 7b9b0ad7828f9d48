import { expect, it } from 'vitest';
import { renderMarkdown } from '../../report/markdown.ts';
import type { LowSession } from '../session-groups.ts';
import { flagView } from './flags.ts';

const low = (more: Partial<LowSession>): LowSession => ({
  sessionKey: 'k',
  sessionId: 's',
  source: 'x',
  taskType: 'chat',
  q: 0.8,
  tier: 'good',
  verified: 'failed',
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

it('shows whether the result was verified next to the Q', () => {
  expect(shown(low({}))).toMatch(/0\.80 \| failed/);
});

it('marks a cost that is a lower bound', () => {
  expect(shown(low({ costAtLeast: 1 }))).toMatch(/cost ≥[\s\S]*lower bounds/);
  expect(shown(low({}))).not.toMatch(/≥/);
});
