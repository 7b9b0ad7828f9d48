import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { SessionFacts } from '../../../session/evidence.ts';
import { did } from '../../../session/fold/testing/tell.ts';
import {
  hours,
  scratchFolder,
  scratchRepository,
  sessionAt,
} from '../../../session/outcomes/testing/scratch-repository.ts';
import { scoreSession } from '../../../session/score-session.ts';
import { keyOfSession } from '../../../session/session-key.ts';
import { defaultPorts } from '../../default-ports.ts';
import { SessionKeeper } from '../keep-sessions.ts';
import { readScoringOptions } from '../scoring-options.ts';
import { keptOutcomes } from './kept-outcomes.ts';

const LINES = ['export const answer = 42;', 'export const question = "six by nine";'];

function wrote(sessionId: string, project: string, at: number, agent: string): SessionFacts {
  const written = did('Write', { file_path: join(project, 'answer.js'), content: LINES.join('\n') }, true);
  const facts = sessionAt(sessionId, project, at, ...written);
  return { ...facts, agent };
}

it('credits a line to the session that wrote it last, though only others are asked for', async () => {
  const repository = scratchRepository();
  repository.commit('Begin', hours(0));
  const folder = scratchFolder();
  const ports = defaultPorts({ store: join(folder, 'store.db'), folder, now: () => new Date(hours(48)) });
  const store = await ports.store();
  onTestFinished(() => store.close());
  const { options } = await readScoringOptions();
  const keeper = new SessionKeeper(store, '2026-03-09T00:00:00.000Z');
  for (const facts of [
    wrote('first', repository.path, hours(1), 'builder'),
    wrote('second', repository.path, hours(2), 'reviewer'),
  ]) {
    const file = {
      path: join(folder, `${facts.sessionId}.jsonl`),
      lines: 3,
      skipped: {},
      unknownRecords: {},
    };
    await keeper.keep({ session: scoreSession(facts, options, keyOfSession(facts, file)), facts, file });
  }
  await keeper.finish();
  repository.write('answer.js', LINES);
  repository.commit('answer', hours(3));

  const ask = (agent?: string) =>
    keptOutcomes(
      {
        filter: agent === undefined ? {} : { agent },
        limit: 100,
        repositories: { places: [], environment: process.env },
      },
      ports,
    );
  const [all, builder] = [await ask(), await ask('builder')];
  expect(all.beside).toEqual({ sessions: 0, all: true });
  expect(builder.beside).toEqual({ sessions: 1, all: true });
  expect(builder.outcomes.map(({ sessionId }) => sessionId)).toEqual(['first']);
  expect(all.outcomes.map(({ sessionId, linesCommitted }) => [sessionId, linesCommitted])).toEqual([
    ['second', 2],
    ['first', 0],
  ]);
  expect(builder.outcomes[0]?.linesCommitted).toBe(0);
});
