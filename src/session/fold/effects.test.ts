import { describe, expect, it } from 'vitest';
import type { EventInput } from './testing/fold-events.ts';
import { call, did, ran, reply, result, runOf, user } from './testing/fold-events.ts';

const edit = (path: string, more = {}) => did('Edit', { file_path: path, ...more }, true);
const said = (...events: readonly EventInput[]) =>
  runOf(user('fix it'), ...events, reply('Done.')).stateChange;

describe('the last change of code', () => {
  it('was checked by what passed after it', () => {
    expect(said(...edit('a.go'), ...ran('go test ./...', true, 'ok'))).toMatchObject({
      value: 1,
      what: 'tests passed',
    });
    expect(said(...edit('a.go'), ...ran('golangci-lint run', true, '0 issues'))).toMatchObject({ value: 1 });
  });

  it('was not checked by what passed before it', () => {
    expect(said(...edit('a.go'), ...ran('go test ./...', true, 'ok'), ...edit('b.go'))).toMatchObject({
      value: 0.5,
      what: 'nothing checked the last change',
    });
    expect(said(...edit('a.go'))).toMatchObject({ value: 0.5 });
    expect(said(...edit('a.go'), ...ran('git push', true))).toMatchObject({ value: 0.5 });
  });

  it('failed when the last check did', () => {
    expect(
      said(...edit('a.ts'), ...ran('npm test', true, ''), ...ran('npm test | tail', true, '1 failed')),
    ).toMatchObject({ value: 0, what: 'tests failed' });
    expect(said(...edit('a.ts'), ...ran('npm test', false, '1 failed'), ...edit('a.ts'))).toMatchObject({
      value: 0.5,
    });
  });

  it('failed by its own words where no code is written down, and so did the call', () => {
    const last = (command: string, text: string) => {
      const { stateChange, tools } = runOf(
        user('fix it'),
        ...edit('a.py'),
        call('last', 'bash', { command }),
        result('last', { text }),
        reply('Done.'),
      );
      return [stateChange?.value, tools.failed];
    };
    expect(last('pytest -q', 'F\n1 failed, 3 passed in 0.1s')).toEqual([0, 1]);
    expect(last('tox -e py39', 'py39: FAIL code 1\n  evaluation failed :( (1.00 seconds)')).toEqual([0, 1]);
    expect(last('mypy src', 'src/a.py:3: error: bad type\nFound 1 error in 1 file')).toEqual([0, 1]);
    expect(last('pytest -q | tail -3', '1 failed, 3 passed in 0.1s')).toEqual([0, 0]);
    expect(last('pytest -q', 'Process exited with code 0\n1 failed, then rerun: 4 passed')).toEqual([0, 0]);
    expect(last('pytest -v', 'test_a.py::test_failed_login PASSED\n2 passed in 0.1s')).toEqual([1, 0]);
  });

  it('is not mended by a weaker check than the one that failed', () => {
    const failed = [...edit('a.ts'), ...ran('npm test', false, '1 failed')];
    expect(said(...failed, ...ran('npx eslint .', true))).toMatchObject({ value: 0 });
    expect(said(...failed, ...ran('npm test', true, '9 passed'))).toMatchObject({ value: 1 });
  });

  it('may be a command of its own, in one line with its check', () => {
    expect(said(...ran("sed -i 's/a/b/' x.ts && npm test", true, '3 passed'))).toMatchObject({ value: 1 });
    expect(said(...ran("sed -i 's/a/b/' x.ts && npm test", false, '1 failed'))).toMatchObject({ value: 0 });
    expect(said(...ran("npm test && sed -i 's/a/b/' x.ts", true, '3 passed'))).toMatchObject({ value: 0.5 });
    const patch = '*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** End Patch';
    expect(said(...did('apply_patch', patch, true))).toMatchObject({ value: 0.5 });
  });

  it('is checked by running it, not by running something else', () => {
    const wrote = did('Write', { file_path: '/w/report.py', content: 'x' }, true);
    expect(said(...wrote, ...ran('python report.py', true, '42'))).toMatchObject({
      value: 1,
      what: 'the changed program ran',
    });
    expect(said(...wrote, ...ran('python other.py', true, '42'))).toMatchObject({ value: 0.5 });
    const built = [...edit('main.c'), ...ran('gcc -o /tmp/app main.c', true)];
    expect(said(...built, ...ran('/tmp/app --x', true, 'hello'))).toMatchObject({ value: 1 });
  });

  it('is checked by CI once it is out: pushed, by whomever, or committed', () => {
    const green = ran('gh pr checks 1', true, 'test\tpass\t1m\thttps://x');
    const red = ran('gh pr checks 1', false, 'test\tfail\t1m\thttps://x');
    const running = ran('gh pr checks 1', true, 'test\tpending\t0\thttps://x');
    const commit = ran('git commit -m x', true, '[main 1a2b3c4] x');
    expect(said(...edit('a.ts'), ...green)).toMatchObject({ value: 0.5 });
    expect(said(...edit('a.ts'), reply('Done.'), user('I pushed it, look at CI'), ...green)).toMatchObject({
      value: 1,
      what: 'CI passed',
    });
    expect(said(...edit('a.ts'), reply('Done.'), user('I pushed it'), ...red)).toMatchObject({ value: 0 });
    expect(said(...edit('a.ts'), ...ran('gh run watch 7', true, '✓ main CI'))).toMatchObject({ value: 1 });
    expect(said(...edit('a.ts'), ...commit, ...green)).toMatchObject({ value: 1 });
    expect(said(...edit('a.ts'), ...commit, ...red)).toMatchObject({ value: 0.5 });
    expect(said(...edit('a.ts'), ...commit, ...green, ...ran('git push', true), ...running)).toMatchObject({
      value: 0.5,
    });
    expect(said(...edit('a.ts'), ...ran('git push', true), ...green)).toMatchObject({
      value: 1,
      what: 'CI passed',
    });
  });

  it('is checked by what a sub-agent reports in plain numbers', () => {
    const task = (text: string) => did('Task', { prompt: 'run the tests' }, true, text);
    expect(said(...edit('a.ts'), ...task('All 12 tests pass.'))).toMatchObject({ value: 1 });
    expect(said(...edit('a.ts'), ...task('3 tests failed in parse.test.ts'))).toMatchObject({ value: 0 });
    expect(said(...edit('a.ts'), ...task('I looked at the files.'))).toMatchObject({ value: 0.5 });
  });

  it('is checked by the hooks of the commit where there are any', () => {
    expect(said(...edit('a.ts'), ...ran('git commit -m x', true, 'eslint....Passed'))).toMatchObject({
      value: 1,
    });
    expect(said(...edit('a.ts'), ...ran('git commit -m x', true, '1 file changed'))).toMatchObject({
      value: 0.5,
    });
  });
});

describe('a change of text', () => {
  it.each(['README.md', 'docs/guide.md', '/u/.claude/plans/a.md', 'CHANGELOG', 'notes.txt', 'data.csv'])(
    'needs no check: %s',
    (path) => {
      expect(said(...edit(path))).toBeUndefined();
    },
  );

  it.each([
    ['a.ts', '// old\nx();', '// new\nx();'],
    ['a.py', '# old\n\nx = 1', 'x = 1'],
    ['q.sql', '-- old\nselect 1', '-- new\nselect 1'],
  ])('in comments of %s is one', (path, before, after) => {
    expect(said(...edit(path, { old_string: before, new_string: after }))).toBeUndefined();
  });

  it('does not make the check of the code before it stale', () => {
    expect(said(...edit('a.go'), ...ran('go test ./...', true, 'ok'), ...edit('README.md'))).toMatchObject({
      value: 1,
    });
  });

  it.each(['a.ts', 'Makefile', 'package.json', '.github/workflows/ci.yml', 'docs/build.py', 'x.ipynb'])(
    'is not one of %s',
    (path) => {
      expect(said(...edit(path))).toMatchObject({ value: 0.5 });
    },
  );
});

describe('a session that may go on', () => {
  it('keeps what it has shown, and leaves open what may still come', () => {
    const open = (...events: readonly EventInput[]) => runOf(user('fix it'), ...events);
    const passed = open(...edit('a.go'), ...ran('go test ./...', true, 'ok'));
    expect(passed).toMatchObject({ end: 'open', stateChange: { value: 1 } });
    expect(open(...edit('a.go')).stateChange).toBeUndefined();
    expect(open(...edit('a.go'), ...ran('ls', true), call('x', 'Task')).stateChange).toBeUndefined();
    expect(open(...edit('a.go'), call('b', 'Bash', { command: 'npm test' }))).toMatchObject({ end: 'open' });
  });
});

describe('facts about the work', () => {
  it('say where it was changed last, and hold nothing where nothing was', () => {
    const run = runOf(user('x'), ...edit('a.go'), ...edit('README.md'), reply('Done.'));
    expect(run.work).toEqual({ codeChanges: 1, lastChangeLine: 5, lastCodeLine: 3 });
    expect(runOf(user('x'), reply('hi')).work).toBeUndefined();
    const denied = runOf(user('x'), call('c', 'Edit', { file_path: 'a.go' }), result('c', { denied: true }));
    expect(denied.work).toBeUndefined();
  });
});
