import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionFacts } from '../evidence.ts';
import { factsWith, runWith } from '../example-session.ts';
import { did, ran } from '../fold/testing/fold-events.ts';
import { type JudgeOptions, judgeWork } from './judge-work.ts';
import { days, hours, scratchFolder, scratchRepository, sessionAt } from './testing/scratch-repository.ts';
import { repositoryTrouble, type WorkOutcome, workFactsOf } from './work-outcome.ts';

const OLD = ['export const answer = 41;', 'export const question = "unknown";'];
const NEW = ['export function addNumbers(a, b) {', '  return a + b;', 'export const answerToAll = 42;'];

async function judged(facts: SessionFacts, more: Partial<JudgeOptions> = {}): Promise<WorkOutcome> {
  const rows = await judgeWork([{ key: facts.sessionId, facts }], {
    places: [],
    environment: process.env,
    ...more,
  });
  const row = rows.get(facts.sessionId);
  if (row === undefined) throw new Error('no row');
  return row;
}

const wrote = (path: string, lines: readonly string[]) =>
  did('Write', { file_path: path, content: lines.join('\n') }, true);

/** A repository with a file, and a session that adds lines to it two hours later. */
function beginning() {
  const repository = scratchRepository();
  repository.write('src/app.js', OLD);
  repository.commit('Begin', hours(0));
  const path = join(repository.path, 'src/app.js');
  const edit = did(
    'Edit',
    { file_path: path, old_string: OLD[1], new_string: [OLD[1], ...NEW].join('\n') },
    true,
  );
  const session = sessionAt('session-one', repository.path, hours(2), ...edit);
  const commitLines = () => {
    repository.write('src/app.js', [...OLD, ...NEW]);
    return repository.commit('Add numbers', hours(3));
  };
  return { repository, path, session, commitLines };
}

describe('what became of the work of a session', () => {
  it('is on the default branch when its lines were committed there, and counts how many stayed', async () => {
    const { repository, session, commitLines } = beginning();
    const sha = commitLines();
    repository.write('src/app.js', [...OLD, ...NEW.slice(0, 2), 'export const answerToAll = 43;']);
    repository.commit('Correct the answer', days(3));
    repository.commit('Much later', days(40));
    expect(await judged(session)).toMatchObject({
      state: 'on-default',
      linesWritten: 3,
      linesCommitted: 3,
      linesOnDefault: 3,
      linesSurviving: 2,
      survival: { 1: { share: 1 }, 7: { share: 2 / 3 }, 30: { share: 2 / 3 } },
      commits: [{ sha, by: 'written lines' }],
      reverted: false,
      head: repository.git('rev-parse', 'main'),
    });
  });

  it('is too young to tell what stays until the default branch has gone on', async () => {
    const { repository, session, commitLines } = beginning();
    commitLines();
    repository.commit('Two days later', days(2));
    const { survival } = await judged(session);
    expect(survival[1]).toEqual({ share: 1 });
    expect(survival[7]).toMatchObject({ from: hours(3) + 7 * 24 * 3_600_000 });
  });

  it('is found after a rebase, and its copies are one commit', async () => {
    const { repository, session, commitLines } = beginning();
    repository.git('checkout', '-q', '-b', 'feature');
    commitLines();
    repository.git('branch', 'before-rebase');
    repository.git('checkout', '-q', 'main');
    repository.write('README', ['Something to read here']);
    repository.commit('Explain', hours(4));
    repository.git('checkout', '-q', 'feature');
    repository.gitAt(hours(5), 'rebase', '-q', 'main');
    repository.git('checkout', '-q', 'main');
    repository.gitAt(hours(6), 'merge', '-q', '--ff-only', 'feature');
    const { state, commits } = await judged(session);
    expect(state).toBe('on-default');
    expect(commits.map(({ sha }) => sha)).toEqual([repository.git('rev-parse', 'main')]);
  });

  it('is on the default branch when its commits were squashed', async () => {
    const { repository, session } = beginning();
    repository.git('checkout', '-q', '-b', 'feature');
    repository.write('src/app.js', [...OLD, ...NEW.slice(0, 2)]);
    repository.commit('Add numbers', hours(3));
    repository.write('src/app.js', [...OLD, ...NEW]);
    repository.commit('And the answer', hours(4));
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', '--squash', 'feature');
    repository.commit('Numbers and the answer (#1)', hours(5));
    const row = await judged(session);
    expect(row).toMatchObject({ state: 'on-default', linesCommitted: 3, linesOnDefault: 3 });
    expect(row.commits).toHaveLength(2);
    repository.git('branch', '-D', 'feature');
    expect(await judged(session)).toMatchObject({ state: 'on-default', linesOnDefault: 3 });
  });

  it('stays with a file that is renamed', async () => {
    const { repository, session, commitLines } = beginning();
    commitLines();
    repository.git('mv', 'src/app.js', 'src/numbers.js');
    repository.commit('Name it better', days(1));
    repository.commit('Later', days(9));
    expect(await judged(session)).toMatchObject({ linesSurviving: 3, survival: { 7: { share: 1 } } });
    repository.write('src/numbers.js', OLD);
    repository.commit('Take it out', days(10));
    expect(await judged(session)).toMatchObject({ linesSurviving: 0 });
  });

  it('stays when its lines move to another file', async () => {
    const { repository, session, commitLines } = beginning();
    commitLines();
    repository.write('src/app.js', [...OLD, 'export * from "./numbers.js";']);
    repository.write('src/numbers.js', ['// Numbers of all kinds', ...NEW.slice(0, 2)]);
    repository.commit('Move it', days(1));
    repository.commit('Later', days(9));
    expect(await judged(session)).toMatchObject({ linesSurviving: 2, survival: { 7: { share: 2 / 3 } } });
  });

  it('is not seen in one line of many that somebody else writes, too', async () => {
    const { repository, path } = beginning();
    const many = Array.from({ length: 60 }, (_, i) => `export const value${i} = compute(${i});`);
    const write = wrote(path, [...OLD, ...many]);
    const session = sessionAt('many', repository.path, hours(2), ...write);
    repository.write('src/app.js', [...OLD, many[7] as string]);
    repository.commit('Only one of them', hours(5));
    repository.commit('Later', days(9));
    expect(await judged(session)).toMatchObject({ state: 'not-committed', commits: [] });
  });

  it('never counts a commit that was authored before the session began, unless the session amended it', async () => {
    const { repository, path, session } = beginning();
    repository.write('src/app.js', [...OLD, ...NEW]);
    repository.commit('Add numbers', hours(1));
    repository.gitAt(hours(3), 'commit', '-q', '--amend', '--no-edit', '--date', `${hours(1) / 1000} +0000`);
    const row = await judged(session);
    expect(row).toMatchObject({ state: 'unknown', commits: [] });
    const name = repository.git('rev-parse', '--short', 'HEAD');
    const amended = sessionAt(
      'amends',
      repository.path,
      hours(2),
      ...wrote(path, [...OLD, ...NEW]),
      ...ran('git commit --amend --no-edit', true, `[main ${name}] Add numbers`),
    );
    expect(await judged(amended)).toMatchObject({
      state: 'on-default',
      commits: [{ by: "git's own output" }],
    });
  });

  it('is not what somebody brings back after the session threw it away', async () => {
    const { repository, path, commitLines } = beginning();
    const write = () => wrote(path, [...OLD, ...NEW]);
    const thrown = [...write(), ...ran('git stash', true), ...ran('git stash drop', true)];
    const session = sessionAt('throws-away', repository.path, hours(2), ...thrown);
    commitLines();
    expect(await judged(session)).toMatchObject({ state: 'nothing-written', commits: [] });
    const again = sessionAt('writes-again', repository.path, hours(2), ...thrown, ...write());
    expect(await judged(again)).toMatchObject({ state: 'on-default', linesCommitted: 3 });
  });

  it('is in a later commit only when that holds most of what is left of it', async () => {
    const { repository, path } = beginning();
    const many = Array.from({ length: 9 }, (_, i) => `export const value${i} = compute(${i});`);
    const session = sessionAt('s', repository.path, hours(2), ...wrote(path, [...OLD, ...many]));
    repository.write('src/app.js', [...OLD, ...many.slice(0, 5)]);
    repository.commit('Some of them', hours(9));
    repository.commit('Later', days(9));
    expect(await judged(session)).toMatchObject({ state: 'unknown', commits: [] });
    repository.git('reset', '-q', '--hard', 'HEAD~2');
    repository.write('src/app.js', [...OLD, ...many.slice(0, 7)]);
    const sha = repository.commit('Most of them', hours(9));
    expect(await judged(session)).toMatchObject({ state: 'on-default', commits: [{ sha }] });
  });

  it('is found from a worktree, also when that is gone', async () => {
    const { repository } = beginning();
    const worktree = join(repository.path, 'trees', 'one');
    repository.git('worktree', 'add', '-q', '-b', 'feature', worktree);
    const path = join(worktree, 'src/app.js');
    const session = sessionAt('in-a-worktree', worktree, hours(2), ...wrote(path, [...OLD, ...NEW]));
    repository.write('trees/one/src/app.js', [...OLD, ...NEW]);
    repository.git('-C', worktree, 'add', '-A');
    repository.gitAt(hours(3), '-C', worktree, 'commit', '-q', '-m', 'Add numbers');
    expect(await judged(session)).toMatchObject({ state: 'committed', linesWritten: 3 });
    repository.git('worktree', 'remove', '--force', worktree);
    expect(await judged(session)).toMatchObject({ state: 'committed', linesCommitted: 3 });
  });

  it('is undone by a revert, and done again by a revert of that', async () => {
    const { repository, session, commitLines } = beginning();
    const sha = commitLines();
    repository.gitAt(days(1), 'revert', '--no-edit', sha);
    expect(await judged(session)).toMatchObject({ state: 'on-default', reverted: true, linesSurviving: 0 });
    repository.gitAt(days(2), 'revert', '--no-edit', 'HEAD');
    expect(await judged(session)).toMatchObject({ reverted: false, linesSurviving: 3 });
  });

  it('is not undone on the default branch by a revert on another one, nor done again there', async () => {
    const { repository, session, commitLines } = beginning();
    const sha = commitLines();
    repository.git('checkout', '-q', '-b', 'trial');
    repository.gitAt(days(1), 'revert', '--no-edit', sha);
    repository.git('checkout', '-q', 'main');
    repository.commit('Something else', days(2));
    expect(await judged(session)).toMatchObject({ reverted: false, linesSurviving: 3 });
    repository.gitAt(days(3), 'revert', '--no-edit', sha);
    repository.git('checkout', '-q', '-b', 'again');
    repository.gitAt(days(4), 'revert', '--no-edit', 'HEAD');
    expect(await judged(session)).toMatchObject({ reverted: true, linesSurviving: 0 });
  });

  it('leaves each of two sessions on a file its own lines', async () => {
    const { repository, path, session, commitLines } = beginning();
    const first = commitLines();
    const more = ['export const multiply = (a, b) => a * b;'];
    const whole = wrote(path, [...OLD, ...NEW, ...more]);
    const second = sessionAt('session-two', repository.path, hours(4), ...whole);
    repository.write('src/app.js', [...OLD, ...NEW, ...more]);
    const later = repository.commit('Multiply', hours(5));
    const rows = await judgeWork(
      [session, second].map((facts) => ({ key: facts.sessionId, facts })),
      { places: [], environment: process.env },
    );
    expect(
      [...rows.values()].map(({ linesWritten, commits }) => [linesWritten, commits.map(({ sha }) => sha)]),
    ).toEqual([
      [3, [first]],
      [1, [later]],
    ]);
  });

  it('credits a line that two sessions wrote to the last one before its commit, and holds nothing against the first', async () => {
    const { repository, path, session } = beginning();
    const again = wrote(path, [...OLD, ...NEW]);
    const second = sessionAt('session-two', repository.path, hours(4), ...again);
    const third = sessionAt('session-three', repository.path, hours(8), ...again);
    repository.write('src/app.js', [...OLD, ...NEW]);
    const sha = repository.commit('Add numbers', hours(5));
    repository.commit('Later', days(9));
    const both = [session, second, third].map((facts) => ({ key: facts.sessionId, facts }));
    for (const known of [both, both.toReversed()]) {
      const rows = await judgeWork(known, { places: [], environment: process.env });
      expect(rows.get('session-one')).toMatchObject({ state: 'unknown', linesWritten: 3, linesCommitted: 0 });
      expect(rows.get('session-one')?.reason).toContain('another session wrote the same lines');
      expect(rows.get('session-two')).toMatchObject({ linesCommitted: 3, commits: [{ sha }] });
      expect(rows.get('session-three')).toMatchObject({ state: 'nothing-written', commits: [] });
    }
    expect(await judged(session)).toMatchObject({ state: 'on-default', linesCommitted: 3 });
  });

  it('holds nothing against files that the repository leaves out', async () => {
    const { repository } = beginning();
    repository.write('.gitignore', ['notes/']);
    repository.commit('Leave notes out', hours(1));
    repository.write('notes/plan.md', NEW);
    const note = { file_path: join(repository.path, 'notes/plan.md'), content: NEW.join('\n') };
    const session = sessionAt('notes', repository.path, hours(2), ...did('Write', note, true));
    repository.commit('Later', days(9));
    expect(await judged(session)).toMatchObject({
      state: 'nothing-written',
      reason: 'the repository leaves out the files it wrote',
    });
  });

  it('holds nothing against files of a submodule: they are committed there', async () => {
    const { repository } = beginning();
    const inner = scratchRepository(join(repository.path, 'vendor/inner'));
    inner.write('src/part.js', OLD);
    inner.commit('Begin', hours(0));
    repository.commit('Take a submodule in', hours(1));
    const path = join(inner.path, 'src/deep/new.js');
    const session = sessionAt('session-one', repository.path, hours(2), ...wrote(path, NEW));
    repository.commit('Later', days(9));
    expect(await judged(session)).toMatchObject({ state: 'nothing-written' });
  });

  it('takes a merge that the session made for its work where it settled a file', async () => {
    const { repository, path } = beginning();
    repository.git('checkout', '-q', '-b', 'feature');
    repository.write('src/app.js', [OLD[0] as string, 'export const question = "ours, we say";']);
    repository.commit('Ask ours', hours(1));
    repository.git('checkout', '-q', 'main');
    repository.write('src/app.js', [OLD[0] as string, 'export const question = "theirs, they say";']);
    repository.commit('Ask theirs', hours(1));
    expect(() => repository.git('merge', '-q', 'feature')).toThrow();
    const both = ['export const question = "ours, we say";', 'export const question = "theirs, they say";'];
    repository.write('src/app.js', [OLD[0] as string, ...both]);
    const sha = repository.commit("Merge branch 'feature'", hours(3));
    const says = ran('git commit --no-edit', true, `[main ${sha.slice(0, 7)}] Merge branch 'feature'`);
    const settled = did('Write', { file_path: path, content: [OLD[0], ...both].join('\n') }, true);
    const session = sessionAt('merging', repository.path, hours(2), ...settled, ...says);
    expect((await judged(session)).commits).toContainEqual({ sha, by: "git's own output" });
    const other = sessionAt('watching', repository.path, hours(2), ...says);
    expect((await judged(other)).commits).toEqual([]);
  });

  it('counts nothing that was there before', async () => {
    const { repository, path } = beginning();
    const session = sessionAt('again', repository.path, hours(2), ...wrote(path, OLD));
    repository.commit('Later', days(9));
    expect(await judged(session)).toMatchObject({ state: 'nothing-written', linesWritten: 0 });
  });

  it('finds work that only took lines out', async () => {
    const { repository, path } = beginning();
    const session = sessionAt(
      'less',
      repository.path,
      hours(2),
      ...did('Edit', { file_path: path, old_string: OLD[1], new_string: '' }, true),
    );
    repository.write('src/app.js', OLD.slice(0, 1));
    const sha = repository.commit('Take it out', hours(3));
    expect(await judged(session)).toMatchObject({ state: 'on-default', linesWritten: 0, commits: [{ sha }] });
  });

  it('was thrown out when the project went on without it, and is too young before', async () => {
    const { repository, session } = beginning();
    repository.write('README', ['Something to read here']);
    repository.commit('Explain', hours(4));
    const young = await judged(session);
    expect(young).toMatchObject({ state: 'too-young', linesWritten: 3, linesCommitted: 0 });
    expect(young.from).toBeGreaterThan(days(7));
    repository.commit('Later', days(9));
    expect(await judged(session)).toMatchObject({ state: 'not-committed', commits: [] });
  });

  it('does not take a brace for its work', async () => {
    const { repository, path } = beginning();
    const session = sessionAt(
      'braces',
      repository.path,
      hours(2),
      ...did('Edit', { file_path: path, old_string: 'x', new_string: '}\n\n  });\nelse {' }, true),
    );
    repository.write('src/app.js', [...OLD, '}', '', '  });', 'else {']);
    repository.commit('Close it', hours(3));
    expect(await judged(session)).toMatchObject({ state: 'nothing-written', commits: [] });
  });

  it('is told by what git printed in the session, also after the commit was moved', async () => {
    const { repository } = beginning();
    repository.git('checkout', '-q', '-b', 'feature');
    repository.write('data.bin', ['0', '1']);
    const sha = repository.commit('Generate data', hours(3));
    const says = `[feature ${sha.slice(0, 7)}] Generate data\n 1 file changed`;
    const session = sessionAt(
      'by-command',
      repository.path,
      hours(3),
      ...ran('git commit -m "Generate data"', true, says),
    );
    expect(await judged(session)).toMatchObject({
      state: 'committed',
      commits: [{ sha, by: "git's own output" }],
    });
    repository.git('checkout', '-q', 'main');
    repository.commit('Something else', hours(4));
    repository.git('checkout', '-q', 'feature');
    repository.gitAt(hours(5), 'rebase', '-q', 'main');
    const moved = repository.git('rev-parse', 'HEAD');
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', '--ff-only', 'feature');
    expect(await judged(session)).toMatchObject({ state: 'on-default', commits: [{ sha: moved }] });
  });

  it('takes the word of a note or a trailer that names the session, and says so', async () => {
    const { repository, session, commitLines } = beginning();
    const sha = commitLines();
    const note = {
      prompts: { abc: { agent_id: { tool: 'x', id: 'another' } } },
      sessions: { s: { agent_id: { id: 'noted-session-id' } } },
    };
    repository.git(
      'notes',
      '--ref=ai',
      'add',
      '-m',
      `src/app.js\n  abc 1-2\n---\n${JSON.stringify(note)}`,
      sha,
    );
    const noted: SessionFacts = { ...session, sessionId: 'noted-session-id' };
    expect((await judged(noted)).commits).toEqual([{ sha, by: 'git-ai note' }]);
    expect((await judged(noted, { attributions: false })).commits).toEqual([{ sha, by: 'written lines' }]);
    repository.write('b.js', ['something']);
    const named = repository.commit(
      'More\n\nAgent-Session: https://example.org/s/trailed-session-id',
      hours(6),
    );
    const trailed: SessionFacts = { ...session, sessionId: 'trailed-session-id' };
    expect((await judged(trailed)).commits).toContainEqual({ sha: named, by: 'commit trailer' });
  });

  it('is found where the repository is now', async () => {
    const { repository, commitLines } = beginning();
    const gone = '/nowhere/of/ann/app';
    const session = sessionAt('moved', gone, hours(2), ...wrote(`${gone}/src/app.js`, NEW));
    commitLines();
    expect(await judged(session)).toMatchObject({
      state: 'unknown',
      reason: 'its folder does not exist here',
    });
    for (const place of [{ to: repository.path }, { from: '/nowhere/of', to: repository.path }])
      expect(await judged(session, { places: [place] })).toMatchObject({
        state: 'on-default',
        linesCommitted: 3,
      });
    const elsewhere = [{ from: '/nowhere/o', to: repository.path }];
    expect(await judged(session, { places: elsewhere })).toMatchObject({ state: 'unknown' });
  });

  it('was thrown out of a repository that is named as its own, when none of its files came into it', async () => {
    const { repository } = beginning();
    const gone = '/nowhere/of/ann/project';
    const write = wrote(`${gone}/src/new.js`, NEW);
    const session = sessionAt('thrown-out', gone, hours(2), ...write);
    repository.commit('Later', days(9));
    const whole = await judged(session, { places: [{ to: repository.path }] });
    const own = await judged(session, { places: [{ from: gone, to: repository.path }] });
    expect([whole.state, own.state]).toEqual(['unknown', 'not-committed']);
  });

  it('is unknown of a session without times', async () => {
    const { repository, session } = beginning();
    const { written, runs } = session;
    const timeless = runs.map(({ startedAt: _, endedAt: __, ...run }) => run);
    const files = (written?.files ?? []).map(({ firstAt: _, lastAt: __, ...file }) => file);
    repository.commit('Later', days(9));
    const facts = { ...session, runs: timeless, written: { oneIn: 1, files, commits: [] } };
    expect(await judged(facts)).toMatchObject({ state: 'unknown', reason: 'the session records no times' });
  });

  it('says nothing of a repository that the session has no part in', async () => {
    const { session } = beginning();
    const other = scratchRepository(join(scratchFolder(), 'other'));
    other.write('unrelated.txt', ['Something else entirely']);
    other.commit('Begin', hours(0));
    other.commit('Later', days(20));
    const row = await judged(session, { places: [{ to: other.path }] });
    expect(row).toMatchObject({ state: 'unknown', reason: expect.stringContaining('none of the files') });
  });
});

it('asks no further repository when two have taken all their time, and says so', async () => {
  const sessions = ['one', 'two', 'three', 'four'].map((key) => {
    const { repository, path } = beginning();
    return { key, facts: sessionAt(key, repository.path, hours(2), ...wrote(path, NEW)) };
  });
  const rows = await judgeWork(sessions, { places: [], environment: process.env, timeMs: 0 });
  expect([...rows.values()].map(({ state }) => state)).toEqual(Array(4).fill('unknown'));
  const asked = [...rows.values()].map(({ reason }) => !/was skipped/.test(reason ?? ''));
  expect(asked).toEqual([true, true, false, false]);
});

it('tells the reason of most sessions, but not that a folder is gone or that nobody asks', () => {
  const troubleOf = (...reasons: readonly string[]) => {
    const work = reasons.map((reason, i) => [`${i}`, { state: 'unknown', reason } as WorkOutcome] as const);
    return repositoryTrouble(new Map(work)).repositoryTrouble;
  };
  const shallow = 'the repository could not be read: it is a shallow clone';
  const isFile = 'the named repository is a file: clone it first';
  expect(troubleOf(shallow, isFile, shallow)).toEqual({ sessions: 3, reason: shallow });
  expect(troubleOf('its folder does not exist here')).toBeUndefined();
  expect(repositoryTrouble(undefined)).toEqual({});
});

it('keeps of very many runs only when the first and the earliest began, and when the last one ended', () => {
  const runs = Array.from({ length: 5000 }, (_, i) =>
    runWith({ startedAt: 10_000 - i, endedAt: 20_000 - i }),
  );
  const kept = workFactsOf(factsWith(runs, { sessionId: 's' }));
  expect(kept).toEqual({
    sessionId: 's',
    runs: [{ startedAt: 10_000 }, { startedAt: 5001 }],
    endedAt: 20_000,
  });
});
