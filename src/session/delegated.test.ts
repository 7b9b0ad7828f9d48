import { describe, expect, it } from 'vitest';
import type { EndReason, Trigger } from './event.ts';
import type { SessionFacts } from './evidence.ts';
import { delegatedBy } from './families.ts';
import { type EventInput, factsOfEvents, reply, user } from './fold/testing/fold-events.ts';
import { scoreSession } from './score-session.ts';

const ended = (reason: EndReason): EventInput => ({ kind: 'end', reason });
const named = (sessionId: string, more: object = {}): EventInput => ({ kind: 'session', sessionId, ...more });

function child(id: string, reason: EndReason, trigger: Trigger = 'subagent'): SessionFacts {
  return factsOfEvents(
    named(id, { parentSessionId: 'boss', trigger }),
    user('look'),
    reply('seen'),
    ended(reason),
  );
}

function delegationOf(parent: SessionFacts, ...children: readonly SessionFacts[]) {
  const session = scoreSession(parent, { delegated: delegatedBy([parent, ...children]) });
  const signal = session.runs[0]?.categories.execution.signals.find(({ id }) => id === 'subagent-success');
  return { ...session.delegation, reading: signal?.reading };
}

describe('sessions that another one started', () => {
  const boss = factsOfEvents(named('boss'), user('do it'), reply('done'));

  it('count in its delegation though it does not tell of them', () => {
    const { reading, ...found } = delegationOf(boss, child('a', 'normal'), child('b', 'error'));
    expect(found).toEqual({ spawned: 2, completed: 1, failed: 1, value: 0.5 });
    expect(reading).toMatchObject({ measured: true, value: 0.5 });
  });

  it('have not failed when a person stopped them, or while they are at work', () => {
    const found = delegationOf(boss, child('a', 'aborted'), child('b', 'open'), child('c', 'normal'));
    expect(found).toMatchObject({ spawned: 3, completed: 1, failed: 0, value: 1 });
  });

  it('have failed when they say so themselves', () => {
    const gaveUp = factsOfEvents(
      named('a', { parentSessionId: 'boss', trigger: 'subagent' }),
      user('fix it'),
      reply('I could not fix it, the test still fails.'),
      ended('normal'),
    );
    expect(delegationOf(boss, gaveUp)).toMatchObject({ spawned: 1, completed: 0, failed: 1, value: 0 });
  });

  it('count once where it tells of them itself, as it tells it', () => {
    const spawn = (ok?: boolean): EventInput => ({ kind: 'spawn', spawnId: 's', ok });
    const knows = factsOfEvents(named('boss'), user('do it'), spawn(), spawn(true), reply('done'));
    expect(delegationOf(knows, child('a', 'error'))).toMatchObject({ spawned: 1, completed: 1, failed: 0 });
    const waits = factsOfEvents(named('boss'), user('do it'), spawn(), reply('done'));
    expect(delegationOf(waits, child('a', 'error'))).toMatchObject({ spawned: 1, completed: 0, failed: 1 });
  });

  it('are others than those that a person branched off it', () => {
    expect(delegationOf(boss, child('a', 'error', 'user'))).toMatchObject({ spawned: 0, failed: 0 });
  });
});
