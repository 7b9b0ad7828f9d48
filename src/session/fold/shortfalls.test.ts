/** Shortfalls that no message mentions: discarded work, unfinished requests, unsupported claims, risky actions. */
import { describe, expect, it } from 'vitest';
import { scoreRun } from '../score.ts';
import { finish } from './fold.ts';
import {
  call,
  did,
  type EventInput,
  folded,
  lined,
  ran,
  reply,
  result,
  runOf,
  user,
} from './testing/fold-events.ts';

const edit = (file: string, before: string, after: string) =>
  did('Edit', { file_path: file, old_string: before, new_string: after }, true, 'ok');
const fixed = () => edit('src/price.ts', 'return net', 'return net * rate');
const stateOf = (run: ReturnType<typeof runOf>) =>
  scoreRun(run).categories.outcome.signals.find(({ id }) => id === 'state-changed')?.reading;
const artifactOf = (run: ReturnType<typeof runOf>) =>
  scoreRun(run).categories.outcome.signals.find(({ id }) => id === 'artifact-produced')?.reading;

describe('work thrown away', () => {
  it.each([
    ['git stash && git stash drop'],
    ['git reset --hard'],
    ['git checkout -- src/price.ts'],
    ['git restore .'],
  ])('makes the artifact 0: %s', (command) => {
    const run = runOf(
      user('Fix the tax in the price function'),
      ...fixed(),
      ...ran(command, true),
      reply('Done.'),
    );
    expect(run.discarded).toEqual({ line: 5 });
    expect(run.risks).toContainEqual(expect.objectContaining({ kind: 'discarded-changes', line: 5 }));
    expect(artifactOf(run)).toMatchObject({ value: 0, lines: [5] });
    expect(stateOf(run)).toMatchObject({ value: 0 });
  });

  it('is none when it was asked for, was brought back, was committed before, or is made again', () => {
    const ask = user('Fix the tax in the price function');
    const none = (...events: readonly EventInput[]) => expect(runOf(...events).discarded).toBeUndefined();
    none(
      ask,
      ...fixed(),
      reply('Done.'),
      user('revert that'),
      ...ran('git checkout -- .', true),
      reply('Reverted.'),
    );
    none(
      ask,
      ...fixed(),
      ...ran('git stash', true),
      ...ran('npm test', true),
      ...ran('git stash pop', true),
      reply('ok'),
    );
    none(ask, ...fixed(), ...ran('git commit -am fix', true), ...ran('git reset --hard', true), reply('ok'));
    none(ask, ...fixed(), ...ran('git checkout -- .', true), ...fixed(), reply('ok'));
    none(
      ask,
      ...fixed(),
      ...edit('src/tax.ts', 'a', 'b'),
      ...ran('git checkout -- src/tax.ts', true),
      reply('ok'),
    );
    none(
      ask,
      ...fixed(),
      ...ran('git restore --staged .', true),
      ...ran('git checkout main', true),
      reply('ok'),
    );
    none(ask, ...fixed(), ...ran('git reset --hard', false), reply('ok'));
  });
});

describe('risky actions', () => {
  const risksOf = (...events: readonly EventInput[]) =>
    (runOf(user('Make the build green'), ...events, reply('ok')).risks ?? []).map(({ kind }) => kind);

  it.each([
    ['git push --force origin main', 'force-push'],
    ['git push origin +main', 'force-push'],
    ['git commit -m x --no-verify', 'hooks-skipped'],
    ['git clean -fd', 'deleted-files'],
    ['rm -rf src/legacy', 'deleted-files'],
    ['rm test/price.test.ts', 'tests-removed'],
  ])('%s is one: %s', (command, kind) => {
    expect(risksOf(...ran(command, true))).toEqual([kind]);
    expect(risksOf(...ran(command, false))).toEqual([]);
  });

  it.each([
    'git push',
    'git commit -m "never use --no-verify"',
    'rm -rf node_modules dist /tmp/out',
    'cd /tmp/try && rm -rf src',
    'git checkout -b fix',
    'git reset HEAD~1',
  ])('%s is none', (command) => {
    expect(risksOf(...ran(command, true))).toEqual([]);
  });

  it('are none where a file is deleted that it wrote itself, or that somebody asked to delete', () => {
    expect(
      risksOf(...did('Write', { file_path: 'probe.py', content: 'x' }, true), ...ran('rm probe.py', true)),
    ).toEqual([]);
    expect(
      runOf(user('Delete the old importer'), ...ran('rm src/importer.ts', true), reply('ok')).risks,
    ).toBeUndefined();
  });

  const test = 'test/price.test.ts';
  it.each([
    [
      'a test taken out',
      test,
      "it('adds tax', () => {\n  expect(price(1)).toBe(2);\n});",
      '',
      'tests-removed',
    ],
    ['a test skipped', test, "it('adds tax', () => {", "it.skip('adds tax', () => {", 'tests-weakened'],
    [
      'assertions taken out',
      test,
      'expect(a).toBe(1);\nexpect(b).toBe(2);\nrun();',
      'run();',
      'assertions-removed',
    ],
    [
      'a rule switched off',
      'src/price.ts',
      'return net',
      '/* eslint-disable */\nreturn net',
      'checks-disabled',
    ],
  ])('%s is one', (_, file, before, after, kind) => {
    expect(risksOf(...edit(file, before, after))).toEqual([kind]);
  });

  it('are none where a test is rewritten or moved', () => {
    expect(risksOf(...edit(test, "it('a', () => {", "it('b', () => {"))).toEqual([]);
    const asserts = 'expect(a).toBe(1);\nexpect(b).toBe(2);\nrun();';
    expect(risksOf(...edit(test, 'run();', asserts), ...edit(test, asserts, 'run();'))).toEqual([]);
    const body = "it('adds tax', () => {\n  expect(price(1)).toBe(2);\n});";
    expect(
      risksOf(
        ...edit(test, body, ''),
        ...did('Write', { file_path: 'test/tax.test.ts', content: body }, true),
      ),
    ).toEqual([]);
  });
});

describe('the last request', () => {
  const rejected = (id: string): EventInput[] => [
    call(id, 'Edit', { file_path: 'src/b.ts', old_string: 'a', new_string: 'b' }),
    result(id, { denied: true }),
  ];
  it('is left undone when all its edits were rejected or failed, whatever passed before', () => {
    const before = [
      user('Fix the tax in src/price.ts'),
      ...fixed(),
      ...ran('npm test', true, '3 passed'),
      reply('Done.'),
    ];
    const then = user('Now add the discount to src/b.ts');
    const run = runOf(...before, then, ...rejected('x'), reply('I stopped.'));
    expect(run.unmet).toEqual({ why: 'rejected', line: 7 });
    expect(stateOf(run)).toMatchObject({ value: 0, lines: [7] });
    const failed = runOf(
      ...before,
      then,
      ...did('Edit', { file_path: 'src/b.ts', old_string: 'q', new_string: 'r' }, false),
      reply('Hm.'),
    );
    expect(failed.unmet).toEqual({ why: 'failed', line: 7 });
    expect(runOf(...before, then, ...edit('src/b.ts', 'a', 'b'), reply('Done.')).unmet).toBeUndefined();
    expect(runOf(...before, user('Why is it done there?'), reply('Because it is.')).unmet).toBeUndefined();
    expect(runOf(...before, user('thanks, perfect')).unmet).toBeUndefined();
  });

  it('is left undone when nothing came after it', () => {
    const run = runOf(
      user('Fix the tax'),
      ...fixed(),
      reply('Done.'),
      user('Add the discount to src/b.ts as well'),
    );
    expect(run).toMatchObject({ end: 'open', unmet: { why: 'not acted on', line: 5 } });
  });
});

describe('a later request for code', () => {
  const then = (text: string, ...events: readonly EventInput[]) =>
    runOf(
      user('Fix the tax in src/price.ts'),
      ...fixed(),
      reply('Done.'),
      user(text),
      ...did('Read', { file_path: 'src/b.ts' }, true, 'x'),
      ...events,
    ).unmet;
  const ask = 'Now also add the discount to src/b.ts';

  it('is left undone when the agent only looked and talked', () => {
    expect(then(ask, reply('The discount belongs into the total. I will add it.'))).toEqual({
      why: 'not acted on',
      line: 5,
    });
    expect(then(ask, reply('Let me look into that.'))).toMatchObject({ why: 'not acted on' });
  });

  it('is met by a change or a command, and open when the agent asks or declines', () => {
    expect(then(ask, ...edit('src/b.ts', 'a', 'b'), reply('Added.'))).toBeUndefined();
    expect(then(ask, ...ran('python patch.py', true), reply('Added.'))).toBeUndefined();
    expect(then(ask, reply('Before or after the tax?'))).toBeUndefined();
    expect(then('Explain how src/b.ts adds the discount', reply('It multiplies.'))).toBeUndefined();
  });
});

it('is empty when it ends in an error before anything could be seen', () => {
  const failed = { kind: 'end', reason: 'error' } as const;
  const scored = (...events: readonly EventInput[]) => scoreRun(runOf(user('Fix it'), ...events, failed));
  expect(scored(...ran('ls', true, 'a'))).toMatchObject({ q: 0, specialCase: 'empty' });
  expect(scored(...ran('ls', true, 'a'), reply('I found it.')).specialCase).toBeUndefined();
});

describe('a claim', () => {
  const claimOf = (...events: readonly EventInput[]) =>
    runOf(user('Fix the tax'), ...fixed(), ...events).claim;
  it('is not supported by a red check of its kind, or by none', () => {
    const red = ran('npm test', false, '1 failed, 3 passed');
    expect(claimOf(...red, reply('Fixed. All tests pass now.'))).toMatchObject({
      about: 'tests',
      line: 6,
      check: { kind: 'tests', line: 5 },
    });
    for (const said of ['Everything is green now.', 'Alle Tests laufen durch.', '所有测试都通过了。'])
      expect(claimOf(...red, reply(said)), said).toMatchObject({ about: 'tests' });
    expect(claimOf(reply('The tests are passing.'))).toEqual({ about: 'tests', line: 4 });
    expect(claimOf(...red, reply('The tax is now fixed.'))).toMatchObject({ about: 'done' });
  });

  it('is none where a check supports it, and where nothing is claimed', () => {
    expect(claimOf(...ran('npm test', true, '4 passed'), reply('All tests pass.'))).toBeUndefined();
    expect(claimOf(reply('Once the tests pass you can merge.'))).toBeUndefined();
    expect(claimOf(reply('Two of the three tests pass.'))).toBeUndefined();
    expect(claimOf(reply('I have not verified that the tests pass.'))).toBeUndefined();
    expect(claimOf(reply('The tax is now fixed.'))).toBeUndefined();
  });
});

describe('a failed call', () => {
  const failures = (...events: readonly EventInput[]) => runOf(...events).tools.failed;
  it('is none when its exit code is the answer', () => {
    expect(failures(user('Is it used?'), ...ran('grep -rn price src', false, ''), reply('No.'))).toBe(0);
    expect(failures(user('Same?'), ...ran('cd a; diff x y', false, '< 1\n> 2'), reply('No.'))).toBe(0);
    expect(
      failures(
        user('Is it used?'),
        ...ran('grep -rn price nowhere', false, 'grep: nowhere: No such file'),
        reply('?'),
      ),
    ).toBe(1);
    expect(
      failures(user('Look at it'), ...ran('make && grep x y', false, 'error: no rule'), reply('?')),
    ).toBe(1);
  });

  it('is none when the agent said that the command is meant to fail', () => {
    const run = (description: string) =>
      failures(
        user('Reject unknown options'),
        ...did('Bash', { command: 'node cli.js --nope', description }, false, 'Error: --nope is no option'),
        reply('It does.'),
      );
    expect(run('Verify that it exits with 2 on an unknown option')).toBe(0);
    expect(run('Start the program')).toBe(1);
  });

  it('is none when a merge stops for its conflicts', () => {
    const merge = (text: string) =>
      failures(user('Merge main'), ...ran('git merge main', false, text), reply('ok'));
    expect(merge('Auto-merging a.ts\nCONFLICT (content): Merge conflict in a.ts')).toBe(0);
    expect(merge('error: Your local changes would be overwritten by merge.\nAborting')).toBe(1);
  });

  it('is none for the red test that was asked about, until something was changed', () => {
    const red = () => ran('npm test', false, '1 failed, 3 passed');
    expect(
      failures(
        user('Fix the failing price test'),
        ...red(),
        ...fixed(),
        ...ran('npm test', true, '4 passed'),
        reply('ok'),
      ),
    ).toBe(0);
    expect(failures(user('Fix the failing price test'), ...red(), ...fixed(), ...red(), reply('no'))).toBe(1);
  });
});

describe('checks', () => {
  it('are counted as passed, failed and impossible, and a linter before the tests is no failed test', () => {
    const run = runOf(
      user('Write it'),
      ...fixed(),
      ...ran('npx eslint . && npm test', false, '✖ 3 problems (3 errors, 0 warnings)'),
      ...ran('npm test', true, '4 passed'),
      ...ran('pytest', false, "No module named 'requests'"),
      reply('ok'),
    );
    expect(run.checks).toEqual({
      passed: 1,
      failed: 1,
      impossible: 1,
      kinds: {
        lint: { passed: 0, failed: 1, impossible: 0 },
        tests: { passed: 1, failed: 0, impossible: 1 },
      },
    });
    const lint = runOf(
      user('Write it'),
      ...fixed(),
      ...ran('npx eslint . && npm test', false, '✖ 3 problems (3 errors)'),
      reply('ok'),
    );
    expect(lint.work?.check).toMatchObject({ kind: 'lint', passed: false, what: 'linter failed' });
    const impossible = runOf(
      user('Write it'),
      ...fixed(),
      ...ran('pytest', false, "No module named 'requests'"),
      reply('ok'),
    );
    expect(impossible.work).toMatchObject({ check: undefined, impossible: { kind: 'tests', line: 5 } });
    expect(stateOf(impossible)).toMatchObject({ value: 0.5 });
  });
});

describe('a check that could not run', () => {
  it.each([
    ['go test ./...', 'go: go.mod file not found in current directory or any parent directory'],
    ['mvn test', '[ERROR] Could not transfer artifact from central: Unknown host'],
    ['pytest tests/none.py', 'ERROR: file or directory not found: tests/none.py'],
    ['docker compose run app pytest', 'Cannot connect to the Docker daemon. Is it running?'],
    ['npx playwright test', "browserType.launch: Executable doesn't exist at /opt/browser"],
    ['./gradlew test', 'bash: ./gradlew: Permission denied'],
    ['pytest --nope', 'pytest: error: unrecognized arguments: --nope'],
    ['pytest', 'ConnectionError: Temporary failure in name resolution\n2 failed in 3s'],
    ['pytest', '[Command timed out after 30 seconds]'],
  ])('is neither passed nor failed: %s', (command, output) => {
    const run = runOf(user('Write it'), ...fixed(), ...ran(command, false, output), reply('ok'));
    expect(run.checks).toMatchObject({ passed: 0, failed: 0, impossible: 1 });
    expect(run.work).toMatchObject({ check: undefined, impossible: { kind: 'tests' } });
  });
});

it('believes the last line of a runner where every result is called a success', () => {
  const checks = (text: string) =>
    runOf(user('Write it'), ...fixed(), ...ran('pytest -q', true, text), reply('ok')).checks;
  expect(checks('..F.\n1 failed, 3 passed in 1s')).toMatchObject({ passed: 0, failed: 1 });
  expect(checks('test_says_1_failed ok\n4 passed in 1s')).toMatchObject({ passed: 1, failed: 0 });
});

it('takes code that was written to try the change for a snippet', () => {
  const kindOf = (command: string) =>
    runOf(
      user('Write it'),
      ...edit('price.py', 'a', 'b'),
      ...did('Write', { file_path: 'reproduce.py', content: 'import price' }, true),
      ...ran(command, true, '3'),
      reply('ok'),
    ).work?.check?.kind;
  expect(kindOf('python price.py')).toBe('run');
  expect(kindOf('python reproduce.py')).toBe('snippet');
  expect(kindOf('python -c "import price; print(price.of(2))"')).toBe('snippet');
});

describe('what a person says of finished work', () => {
  const corrected = (text: string, answer = 'Let me look.') => {
    const { corrections, correctedBy } = runOf(
      user('Build the export'),
      ...fixed(),
      reply('The export is done.'),
      user(text),
      reply(answer),
    );
    return corrections === 0 ? undefined : Object.keys(correctedBy ?? {})[0];
  };
  it.each([
    'the new button is never wired up to anything',
    'nothing calls that function',
    'did you make that column up?',
    'on Windows it has never worked',
    'you still have not answered which port it uses',
    'it was supposed to keep the old rows',
    'the option has no effect',
    'the totals are off by one',
    'there is no method called flushAll',
    'what is your source for that number?',
    'actually it is the other way around',
    'you only did half of it',
    'this is way too complicated',
    "didn't I ask for the short form?",
    'Es kommt derselbe Fehler',
    'el botón no aparece',
    '还是报错',
    'всё равно не работает',
  ])('is a correction: %s', (text) => {
    expect(corrected(text)).toBe('said');
  });

  it.each([
    "won't this break on Windows?",
    'is that lock really necessary?',
    'what about the other two rates?',
    'It prints two headers.',
    "don't hardcode the rate",
  ])('is a correction when it makes the agent change the same file again: %s', (text) => {
    const then = (...events: readonly EventInput[]) =>
      runOf(
        user('Build the export'),
        ...fixed(),
        reply('Done.'),
        user(text),
        reply('Let me look.'),
        ...events,
        reply('ok'),
      );
    expect(then(...fixed())).toMatchObject({ correctedBy: { admitted: 1 }, correctionLines: [5] });
    expect(then(...edit('src/other.ts', 'a', 'b')).corrections).toBe(0);
    expect(then().corrections).toBe(0);
  });

  it('is none when the user did something themselves, or wishes for something else', () => {
    const countAfter = (text: string) =>
      runOf(user('Build it'), ...fixed(), reply('Done.'), user(text), ...fixed(), reply('ok')).corrections;
    expect(countAfter('I renamed the column to total')).toBe(0);
    expect(countAfter('The rows need a date, too')).toBe(0);
    expect(countAfter('Which rate does it take?')).toBe(0);
  });

  it('says nothing of a file that was not changed, and nothing new when it was asked for', () => {
    expect(corrected('reader.ts never closes the file')).toBeUndefined();
    expect(corrected('price.ts never closes the file')).toBe('said');
    const asked = runOf(
      user('Build the export'),
      ...fixed(),
      reply('Done. Run it and describe exactly what you see.'),
      user('the header is not bold'),
      reply('Let me look.'),
    );
    expect(asked.corrections).toBe(0);
  });

  it('is one when the agent admits it', () => {
    expect(
      corrected('is the header written by the loop?', "You're right, it is written twice. Fixing."),
    ).toBe('admitted');
    expect(corrected('hm, and the footer?', 'Good catch, I forgot the footer.')).toBe('admitted');
    expect(corrected('hm, and the footer?', 'The footer is in the template.')).toBeUndefined();
    expect(corrected('Please add a footer', "You're right, a footer is useful. Adding it.")).toBeUndefined();
    expect(
      corrected('How long does it take?', 'I apologize for the inconvenience, about a day.'),
    ).toBeUndefined();
  });

  it.each([
    'delete that file',
    'also add a column for the tax',
    'Here is the spec for the next part, please implement it:\nError: shown when the file is missing\nWarning: shown when it is old',
    'what happens if the disk is full?',
    'the old importer never worked, can you also write a new one?',
    'write a test that fails when the file is missing',
    'users should never see the raw error',
    'new task: the menu does not close',
    'The reviewer says that this can crash. What do you think?',
    'no need for tests here',
    'double-check that nothing else depends on it',
    'I restarted the server',
  ])('is none: %s', (text) => {
    expect(corrected(text)).toBeUndefined();
  });

  it('is none when the same prompt is sent again after a stop', () => {
    const prompt = 'Please write the exporter for the invoices';
    const stop = { kind: 'interrupt' } as const;
    expect(runOf(user(prompt), reply('Let me'), stop, user(prompt), reply('Done.')).corrections).toBe(0);
    expect(
      runOf(user(prompt), reply('Let me'), stop, user('Only for the paid ones'), reply('ok')).corrections,
    ).toBe(1);
  });

  it('accepts the end only, after failures', () => {
    const sent = (...rest: readonly EventInput[]) =>
      scoreRun(runOf(user('Build it'), ...fixed(), reply('Done.'), ...rest)).categories.outcome.signals.find(
        ({ id }) => id === 'downstream-acceptance',
      )?.reading;
    const again: EventInput[] = [user('it does not work'), ...fixed(), reply('Now?')];
    const thanks = [user('thanks, that works'), reply('Welcome.')];
    expect(sent(...thanks)).toMatchObject({ value: 1 });
    expect(sent(...again, ...thanks)).toMatchObject({ value: 0.75 });
    expect(sent(...again, user('still not working'), ...fixed(), reply('Now?'), ...thanks)).toMatchObject({
      value: 0.6,
    });
  });
});

describe('turns', () => {
  it('are none for hooks and interruptions that a format hands over as messages', () => {
    const { turns, corrections } = runOf(
      user('Build it'),
      reply('Building'),
      user('Stop hook feedback:\nthe tests were not run'),
      user('[Request interrupted by user for tool use]'),
      user('Operation stopped by hook: another session is open'),
      reply('Done.'),
    );
    expect({ turns, corrections }).toEqual({ turns: 1, corrections: 0 });
  });
});

describe('a session that went silent', () => {
  const at = Date.parse('2026-02-03T10:00:00Z');
  const hour = 3_600_000;
  const endAfter = (hours: number, ...events: readonly EventInput[]) => {
    const state = folded(lined(events).map((event) => ({ ...event, at })));
    return finish(state, 'x', at + hours * hour)?.runs[0]?.end;
  };
  const working = [user('Fix the tax'), ...fixed()];

  it('is over after a day, and may go on before', () => {
    expect(endAfter(23, ...working)).toBe('open');
    expect(endAfter(25, ...working)).toBe('unknown');
    expect(endAfter(25, ...working, reply('Done.'))).toBe('normal');
    expect(endAfter(25, ...working, call('c', 'Bash', { command: 'npm test' }))).toBe('cut-off');
    expect(endAfter(25, ...working, call('c', 'Bash', { command: 'git commit -m tax' }))).toBe('unknown');
  });

  it('has ended well when the last word was thanks', () => {
    const thanked = [...working, reply('Done.'), user('thanks, that works')];
    expect([endAfter(1, ...thanked), endAfter(25, ...thanked)]).toEqual(['normal', 'normal']);
    expect(endAfter(25, ...working, reply('Done.'), user('now the discount'))).toBe('cut-off');
  });
});

describe('tests on a to-do list', () => {
  const todo = (...steps: readonly (readonly [string, string])[]) =>
    did('TodoWrite', { todos: steps.map(([content, status]) => ({ content, status })) }, true, 'ok');
  const begun = [
    ['Add the rate', 'in_progress'],
    ['Write unit tests', 'pending'],
  ] as const;
  const ask = user('Fix the tax in the price function and test it');

  it('leave the work half done when they are taken off unwritten', () => {
    const run = runOf(
      ask,
      ...todo(...begun),
      ...fixed(),
      ...todo(['Add the rate', 'completed']),
      reply('Complete.'),
    );
    expect(run.unmet).toEqual({ why: 'tests dropped', line: 6 });
    expect(stateOf(run)).toMatchObject({ value: 0.5, lines: [6] });
  });

  it('are not dropped when done, planned anew, put back, put away, written unlisted, or left off after a message of the user', () => {
    const none = (...events: readonly EventInput[]) =>
      expect(runOf(ask, ...todo(...begun), ...fixed(), ...events, reply('Done.')).unmet).toBeUndefined();
    none(...todo(['Add the rate', 'completed'], ['Write unit tests', 'completed']));
    none(...todo(['Add the rate', 'completed'], ['Test the rate', 'completed']));
    none(
      ...todo(['Add the rate', 'completed']),
      ...todo(['Add the rate', 'completed'], ['Write unit tests', 'completed']),
    );
    none(...todo());
    none(reply('Tests, too?'), user('No, leave the tests'), ...todo(['Add the rate', 'completed']));
    none(...edit('src/price.test.ts', 'a', "it('taxes', () => {})"), ...todo(['Add the rate', 'completed']));
  });
});
