import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { did, type EventInput, ran } from '../fold/testing/fold-events.ts';
import { judgeWork } from './judge-work.ts';
import { days, hours, scratchRepository, sessionAt } from './testing/scratch-repository.ts';
import type { WorkOutcome } from './work-outcome.ts';

const LINES = ['export function addNumbers(a, b) {', '  return a + b;', 'export const answerToAll = 42;'];
const OTHERS = ['export class Something {', '  constructor(name) { this.name = name; }'];

type Scratch = ReturnType<typeof scratchRepository>;

function begun(): Scratch {
  const repository = scratchRepository();
  repository.write('src/old.js', ['export const question = "unknown";', 'export const reply = "none";']);
  repository.commit('Begin', hours(0));
  return repository;
}

/** A session that wrote the lines into a new file, and then continued. */
async function judged({ path }: Scratch, ...more: readonly EventInput[]): Promise<WorkOutcome> {
  const wrote = did('Write', { file_path: join(path, 'src/draft.js'), content: LINES.join('\n') }, true);
  const facts = sessionAt('session-one', path, hours(2), ...wrote, ...more);
  const rows = await judgeWork([{ key: 'one', facts }], { places: [], environment: process.env });
  return rows.get('one') as WorkOutcome;
}

describe('a file that was given another name before it was committed', () => {
  it('is found by its lines, whoever renamed it', async () => {
    const repository = begun();
    repository.write('lib/numbers.ts', [...LINES, ...OTHERS]);
    const sha = repository.commit('Add numbers', hours(3));
    repository.commit('Later', days(9));
    expect(await judged(repository)).toMatchObject({
      state: 'on-default',
      linesWritten: 3,
      linesCommitted: 3,
      linesSurviving: 3,
      commits: [{ sha, by: 'written lines' }],
    });
    repository.git('mv', 'lib/numbers.ts', 'lib/sums.ts');
    repository.commit('Name it again', days(10));
    repository.write('lib/sums.ts', OTHERS);
    repository.commit('Take it out', days(20));
    expect(await judged(repository)).toMatchObject({ linesCommitted: 3, linesSurviving: 0 });
  });

  it('is found where its folder was renamed', async () => {
    const repository = begun();
    repository.write('source/draft.js', LINES);
    const sha = repository.commit('Add numbers', hours(3));
    expect(await judged(repository)).toMatchObject({ state: 'on-default', commits: [{ sha }] });
  });

  it('is found when its lines were put into a new file, and the one it knew stayed', async () => {
    const repository = begun();
    const edit = { old_string: 'export const reply = "none";', new_string: LINES.join('\n') };
    const path = join(repository.path, 'src/old.js');
    const facts = sessionAt(
      'session-one',
      repository.path,
      hours(2),
      ...did('Edit', { file_path: path, ...edit }, true),
    );
    repository.write('src/numbers.js', LINES);
    repository.commit('Add numbers, apart', hours(3));
    const rows = await judgeWork([{ key: 'one', facts }], { places: [], environment: process.env });
    expect(rows.get('one')).toMatchObject({ state: 'on-default', linesCommitted: 3 });
  });

  it.each([
    'mv src/draft.js src/numbers.ts',
    'git mv src/draft.js src/numbers.ts',
    'git add src/draft.js && git mv -f src/draft.js src/numbers.ts && git status',
  ])('is known from the session itself: %s', async (command) => {
    const repository = begun();
    repository.write('src/numbers.ts', LINES);
    const sha = repository.commit('Add numbers', hours(3));
    const row = await judged(repository, ...ran(command, true));
    expect(row).toMatchObject({ state: 'on-default', linesCommitted: 3, commits: [{ sha }] });
  });

  it('is not taken for one that has a line or two by chance, nor for one that was there before', async () => {
    const repository = begun();
    repository.write('src/other.js', [...OTHERS, LINES[0] ?? '']);
    repository.commit('Something else', hours(3));
    repository.commit('Later', days(9));
    expect(await judged(repository)).toMatchObject({ state: 'not-committed', commits: [] });
    const before = scratchRepository();
    before.write('src/numbers.js', LINES);
    before.commit('Begin', hours(0));
    before.commit('Later', days(9));
    expect(await judged(before)).toMatchObject({ state: 'not-committed', commits: [] });
  });
});
