import { describe, expect, it } from 'vitest';
import { call, result, runOf, user } from './testing/fold-events.ts';

const edit = (id: string, path: string) =>
  call(id, 'Edit', { file_path: path, old_string: id, new_string: 'x' });
const bad = (id: string) => result(id, { ok: false, text: 'not found' });
const good = (id: string) => result(id, { ok: true, text: 'fine' });

describe('a loop', () => {
  it('is not what was sent together: a batch that fails is one attempt', () => {
    const batch = [edit('a', 'src/x.ts'), edit('b', 'src/x.ts'), edit('c', 'src/x.ts')];
    const together = runOf(user('go'), ...batch, bad('a'), bad('b'), bad('c'));
    expect(together.loops).toMatchObject({ persistent: 0, recovered: 0 });
    expect(together.tools.failed).toBe(3);
    const again = runOf(user('go'), ...batch, bad('a'), bad('b'), bad('c'), edit('d', 'src/x.ts'), bad('d'));
    expect(again.loops).toMatchObject({ persistent: 1, recovered: 0 });
  });

  const twice = [edit('a', 'src/x.ts'), bad('a'), edit('b', 'src/x.ts'), bad('b')];

  it.each([
    ['another tool for files', call('c', 'Write', { file_path: '/work/src/x.ts', content: 'x' })],
    ['a shell', call('c', 'Bash', { command: "sed -i 's/a/b/' ./src/x.ts && cat src/x.ts" })],
    ['the same tool', edit('c', 'src/x.ts')],
  ])('ends with a success on the same target by %s', (_name, success) => {
    const run = runOf(user('go'), ...twice, success, good('c'));
    expect(run.loops).toMatchObject({ recovered: 1, persistent: 0 });
  });
});

it('a call that was not made because the one beside it failed has no outcome', () => {
  const run = runOf(
    user('go'),
    call('a', 'Bash', { command: 'ls' }),
    call('b', 'Bash', { command: 'pwd' }),
    result('a', { ok: false, text: 'Exit code 2' }),
    result('b', { ok: false, text: '<tool_use_error>Sibling tool call errored</tool_use_error>' }),
  );
  expect(run.tools).toMatchObject({ calls: 2, failed: 1, unknown: 1 });
});

it('what an operating system answers is a failure also where no tool says so', () => {
  const answer = (text: string) =>
    runOf(user('go'), call('a', 'read_file', { path: 'a' }), result('a', { text })).tools.failed;
  expect(answer("ENOENT: no such file or directory, open 'a'")).toBe(1);
  expect(answer('Example: nothing')).toBe(0);
});
