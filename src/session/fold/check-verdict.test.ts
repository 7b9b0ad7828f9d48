import { describe, expect, it } from 'vitest';
import { verdictOf } from './check-verdict.ts';
import { outcomeOf } from './outcome.ts';
import { readShell } from './shell-command.ts';

/** What a command and its output say about the work. */
function verdict(command: string, text: string, ok: boolean | 'unknown' = true): boolean | undefined {
  const check = readShell(command).effects.find((one) => one.does === 'check');
  if (check?.does !== 'check') throw new Error('no check');
  const outcome = outcomeOf({ ...(ok !== 'unknown' && { ok }), text }, 'shell');
  return verdictOf(check, outcome, text, ok === true);
}

describe('a check whose exit code is known', () => {
  it('is what it says', () => {
    expect(verdict('npm test', 'FAIL in a name of a test', true)).toBe(true);
    expect(verdict('npm test', 'whatever', false)).toBe(false);
    expect(verdict('go build ./...', '', true)).toBe(true);
  });

  it.each([
    ['npm test', 'npm error Missing script: "test"'],
    ['pytest', 'bash: pytest: command not found'],
    ['npm test', 'Command aborted'],
    ['go build -o app . && ./app serve', 'listen: address already in use'],
  ])('says nothing of %s when it did not run, or something after it failed: %j', (command, text) => {
    expect(verdict(command, text, false)).toBeUndefined();
  });

  it.each([
    ['go test ./...', 'ok  \ta/b\t0.1s [no tests to run]\n?   \ta/c\t[no test files]'],
    ['pytest', 'collected 0 items'],
  ])('says nothing when %s found nothing to run', (command, text) => {
    expect(verdict(command, text, true)).toBeUndefined();
  });
});

describe('a check whose exit code is hidden', () => {
  it.each([
    ['npm test 2>&1 | tail -5', 'Tests  3 failed | 12 passed (15)', false],
    ['npm test 2>&1 | tail -5', 'Tests  15 passed (15)', true],
    ['npm test || true', '# pass 9\n# fail 1', false],
    ['pytest -q; echo done', '5 passed, 0 failed in 0.1s\ndone', true],
    ['pytest -q; echo done', '1 failed, 4 passed in 0.1s\ndone', false],
    ['pytest | tail -1', '2 errors in 0.4s', undefined],
    ['go test ./... | tail -3', 'FAIL\ta/b\t0.3s\nFAIL', false],
    ['go test ./... | tail -3', 'ok  \ta/b\t0.3s', true],
    ['cargo test 2>&1 | tail -4', 'test result: FAILED. 3 passed; 1 failed', false],
    ['cargo test 2>&1 | tail -4', 'test result: ok. 4 passed; 0 failed; 0 ignored', true],
    ['./gradlew test | tail -3', 'BUILD FAILED in 3s', false],
    ['mvn verify | tail -3', '[INFO] BUILD SUCCESS', true],
    ['dotnet test | tail', 'Failed!  - Failed:     1, Passed:    10', false],
    ['bundle exec rspec | tail -2', '12 examples, 0 failures', true],
    ['bundle exec rspec | tail -2', '12 examples, 2 failures', false],
    ['vendor/bin/phpunit | tail -3', 'FAILURES!\nTests: 5, Assertions: 9, Failures: 1.', false],
    ['mix test | tail -2', '8 tests, 1 failure', false],
    ['npx tsc --noEmit | head', 'src/a.ts(3,1): error TS2304: Cannot find name.', false],
    ['npx tsc --noEmit | head', '', true],
    ['go build ./... 2>&1 | head', './main.go:4:2: undefined: x', false],
    ['npm run build 2>&1 | tail -3', '✓ built in 3.1s', true],
    ['npx eslint . | tail -3', '✖ 4 problems (4 errors, 0 warnings)', false],
    ['mise run lint | tail -2', '0 issues.', true],
    ['npm run check 2>&1 | grep -E "error|warning"', '', true],
    ['npm run check 2>&1 | grep -E "error|warning"', 'a.ts: error TS1', false],
    ['npm test; echo "exit: $?"', 'hm\nexit: 1', false],
    ['npm test; echo "exit: $?"', 'hm\nexit: 0', true],
    ['npm test > /dev/null 2>&1 && echo OK || echo FAIL', 'FAIL', false],
    ['npm test > /dev/null 2>&1 && echo OK || echo FAIL', 'OK', true],
    ['npm test | head -1', '> app@1.0.0 test', undefined],
  ])('%s: %j is %s', (command, text, expected) => {
    expect(verdict(command, text)).toBe(expected);
  });

  it('is read in formats that record no exit code at all', () => {
    expect(verdict('pytest', '3 passed in 0.1s', 'unknown')).toBe(true);
    expect(verdict('pytest', '1 failed, 2 passed in 0.1s', 'unknown')).toBe(false);
  });
});

describe('continuous integration', () => {
  it.each([
    ['gh pr checks 3', 'test\tfail\t7m\thttps://x\nlint\tpass\t1m\thttps://x', false],
    ['gh pr checks 3', 'test\tpass\t7m\thttps://x\nlint\tpass\t1m\thttps://x', true],
    ['gh pr checks 3', 'test\tpending\t0\thttps://x\nlint\tpass\t1m\thttps://x', undefined],
    ['gh run view 9', 'X main CI · 9\nTriggered via push', false],
    ['gh run view 9', '✓ main CI · 9\nTriggered via push', true],
    ['gh run list', 'completed\tsuccess\tFix\tCI\tmain', true],
  ])('%s: %j is %s', (command, text, expected) => {
    expect(verdict(command, text, expected !== false)).toBe(expected);
  });
});

describe('running what was changed', () => {
  it('fails when it breaks, not when it rightly says no', () => {
    const crash = 'Traceback (most recent call last):\n  File "a.py"\nKeyError: 1';
    expect(verdict('python app.py', crash, false)).toBe(false);
    expect(verdict('python app.py --bad', 'usage: app.py', false)).toBeUndefined();
    expect(verdict('python app.py', '42', true)).toBe(true);
  });
});
