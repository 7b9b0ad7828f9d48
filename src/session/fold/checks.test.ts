import { describe, expect, it } from 'vitest';
import { outcomeOf } from './call-outcome.ts';
import { type Verdict, verdictOf } from './checks.ts';
import { readShell } from './shell-command.ts';

const kinds = (command: string) =>
  readShell(command).effects.flatMap((one) => (one.does === 'check' ? [one.kind] : []));

describe('a check', () => {
  it.each([
    ['pytest -q tests/unit', 'tests'],
    ['dbt test --select orders', 'tests'],
    ['nix flake check', 'tests'],
    ['sqlfluff lint models', 'lint'],
    ['buf lint', 'lint'],
    ['kubeconform deploy.yaml', 'lint'],
    ['lake build', 'build'],
    ['python3.12 -m unittest discover -s tests', 'tests'],
    ['hatch run test', 'tests'],
    ['tox -e py312', 'tests'],
    ['./manage.py test shop', 'tests'],
    ['npm --prefix web run test:unit -- --run', 'tests'],
    ['yarn workspace api test', 'tests'],
    ['node --experimental-strip-types --test', 'tests'],
    ['bun test', 'tests'],
    ['turbo run test --filter=web', 'tests'],
    ['cargo +nightly test --workspace', 'tests'],
    ['go test ./... -run TestX', 'tests'],
    ['bundle exec rspec spec/models', 'tests'],
    ['bundle exec rake spec', 'tests'],
    ['vendor/bin/phpunit --filter X', 'tests'],
    ['xcodebuild -scheme App -destination "platform=iOS Simulator" test', 'tests'],
    ['./gradlew :app:testDebugUnitTest', 'tests'],
    ['sbt test', 'tests'],
    ['ctest --test-dir build', 'tests'],
    ['make -j8 test', 'tests'],
    ['just ci', 'checks'],
    ['npm run verify', 'checks'],
    ['docker exec -it app npm test', 'tests'],
    ['kubectl exec -n dev api-0 -- go test ./...', 'tests'],
    ['bash -lc "cd app && cargo test"', 'tests'],
    ['./scripts/check.sh', 'checks'],
    ['python tests/test_parse.py', 'tests'],
    ['prove -lr t', 'tests'],
    ['npx tsc --noEmit -p .', 'types'],
    ['pyright', 'types'],
    ['go vet ./...', 'types'],
    ['vendor/bin/phpstan analyse', 'types'],
    ['npx eslint . --max-warnings 0', 'lint'],
    ['ruff check .', 'lint'],
    ['prettier --check "src/**"', 'lint'],
    ['golangci-lint run ./...', 'lint'],
    ['shellcheck install.sh', 'lint'],
    ['terraform validate', 'lint'],
    ['node --check server.js', 'lint'],
    ['npm run lint:fix', 'lint'],
    ['go build ./...', 'build'],
    ['npm run build', 'build'],
    ['dotnet build -c Release', 'build'],
    ['mvn -q package -DskipTests', 'build'],
    ['make', 'build'],
    ['gcc -Wall -o app main.c', 'build'],
    ['gh pr checks 12 --watch', 'ci'],
    ['glab ci status', 'ci'],
    ['cargo run -- --config x', 'run'],
    ['python app.py', 'run'],
    ['git commit -m "npm test"', 'hook'],
  ])('%s', (command, kind) => {
    expect(kinds(command)).toEqual([kind]);
  });

  it.each([
    [
      'tests',
      'opa test policies ¦ clojure -M:test ¦ bin/test --fast ¦ npm t ¦ npx -y vitest run src/a.test.ts',
    ],
    ['tests', 'uv run --with pytest-xdist pytest -n 4 ¦ poetry run pytest ¦ .venv/bin/pytest tests'],
    [
      'tests',
      'pnpm --filter @acme/api test ¦ deno task test ¦ nx affected -t test ¦ swift test ¦ zig build test',
    ],
    [
      'tests',
      'CI=1 timeout 300 npx playwright test ¦ cargo nextest run ¦ dotnet test --no-build ¦ flutter test',
    ],
    ['tests', 'mix test test/a_test.exs ¦ bin/rails test ¦ composer run test ¦ php artisan test'],
    ['tests', './mvnw -q -pl core verify ¦ docker compose exec -T web pytest ¦ bash scripts/run_tests.sh'],
    ['tests', 'docker run --rm -v .:/src -w /src node:22 npm test ¦ ssh host npm test'],
    ['checks', 'mise run check'],
    ['types', 'uvx mypy src ¦ cargo check --all-targets ¦ pnpm typecheck'],
    ['lint', 'promtool check rules alerts.yml ¦ ansible-playbook --syntax-check site.yml ¦ npx biome ci'],
    ['lint', 'black --check . ¦ cargo clippy -- -D warnings ¦ rubocop -A ¦ pre-commit run --all-files'],
    ['lint', 'php -l index.php ¦ bash -n deploy.sh'],
    ['build', 'sphinx-build -W docs out ¦ cdk synth ¦ cargo build --release ¦ npx next build ¦ swift build'],
    [
      'build',
      'gradle assembleDebug ¦ cmake --build build ¦ docker build -t app . ¦ mix compile --warnings-as-errors',
    ],
    ['ci', 'gh run view 123 --log-failed'],
    ['run', 'go run ./cmd/app'],
  ])('of %s: %s', (kind, commands) => {
    for (const command of commands.split(' ¦ ')) expect(kinds(command), command).toEqual([kind]);
  });

  it.each([
    'cat test.log ¦ npm ci ¦ which pytest ¦ npx jest --listTests --help ¦ mkdir -p build ¦ make clean',
    'git log --grep=test ¦ docker compose up -d ¦ mise run fmt ¦ go mod tidy ¦ cargo add serde ¦ npx tsc --init',
    'vim build.sh ¦ gh pr view 3 ¦ test -f build ¦ ssh host uptime',
  ])('is in none of %s', (commands) => {
    for (const command of commands.split(' ¦ ')) expect(kinds(command), command).toEqual([]);
  });

  it.each([
    'ls tests',
    'grep -rn pytest .',
    'echo "run npm test"',
    'npm install vitest',
    'pip install pytest',
    'command -v cargo',
    'pytest --version',
    'pytest --collect-only',
    'cd test && ls',
    'rm -rf build',
    'git checkout -b test',
    'npm run format',
    'npx tsc --watch',
    'python -c "print(1)"',
    'touch tests/a.py',
    'cat <<EOF\nnpm test\nEOF',
    'git stash && npm test; git stash pop',
    '[ -f package.json ]',
    'tail -f build.log',
  ])('is none: %s', (command) => {
    expect(kinds(command)).toEqual([]);
  });

  it('keeps its order among the changes of one line', () => {
    const does = (command: string) => readShell(command).effects.map((one) => one.does);
    expect(does("sed -i 's/a/b/' x.ts && npm test")).toEqual(['make', 'touch', 'check']);
    expect(does("npm test && sed -i 's/a/b/' x.ts")).toEqual(['check', 'make', 'touch']);
  });
});

describe('the exit code of a check', () => {
  const isHidden = (command: string) =>
    readShell(command).effects.some((one) => one.does === 'check' && one.hidden === true);

  it.each(['npm test | tail -5', 'npm test || true', 'npm test; echo done', 'npm test &\nwait'])(
    'is hidden in %j',
    (command) => {
      expect(isHidden(command)).toBe(true);
    },
  );

  it.each([
    'npm test',
    'cd a && npm test 2>&1',
    'ls; npm test',
    'set -euo pipefail; npm test | tail -5',
    'git log | head; npm test > /tmp/out 2>&1',
  ])('is the one of %j', (command) => {
    expect(isHidden(command)).toBe(false);
  });
});

/** The verdict of a command and its output about the work. */
function verdict(command: string, text: string, ok: boolean | 'unknown' = true): Verdict {
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
    ['pytest', "E   ModuleNotFoundError: No module named 'requests'\n1 error in 0.10s"],
    [
      'npx vitest run',
      "Error: Cannot find package 'zod' imported from /w/a.test.ts\n Test Files  1 failed (1)\n      Tests  no tests",
    ],
    ['npm test', 'npm error code ENOTFOUND'],
    ['cd nowhere && npm test', 'bash: cd: nowhere: No such file or directory'],
    ['npx tsc --noEmit', "a.ts(1,20): error TS2307: Cannot find module 'zod' or its type declarations."],
  ])('could not be made by %s when something is missing: %j', (command, text) => {
    expect(verdict(command, text, false)).toBe('impossible');
  });

  it('fails when something of the work is missing, or other things are wrong as well', () => {
    expect(verdict('npx vitest run', "Error: Cannot find module './parse.ts'\n Tests  no tests", false)).toBe(
      false,
    );
    expect(verdict('pytest', "No module named 'requests'\n2 failed, 3 passed in 1s", false)).toBe(false);
    expect(
      verdict(
        'npx tsc',
        "a.ts(1,1): error TS2307: Cannot find module 'zod'\nb.ts(2,2): error TS2345: not assignable",
        false,
      ),
    ).toBe(false);
  });

  it.each([['go build -o app . && ./app serve', 'listen: address already in use']])(
    'says nothing of %s when something after it failed: %j',
    (command, text) => {
      expect(verdict(command, text, false)).toBeUndefined();
    },
  );

  it.each([
    ['go test ./...', 'ok  \ta/b\t0.1s [no tests to run]\n?   \ta/c\t[no test files]'],
    ['pytest', 'collected 0 items'],
  ])('could not check when %s found nothing to run', (command, text) => {
    expect(verdict(command, text, true)).toBe('impossible');
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
    ['./gradlew test | tail -3', 'BUILD FAILED in 3s', false],
    ['mvn verify | tail -3', '[INFO] BUILD SUCCESS', true],
    ['bundle exec rspec | tail -2', '12 examples, 0 failures', true],
    ['vendor/bin/phpunit | tail -3', 'FAILURES!\nTests: 5, Assertions: 9, Failures: 1.', false],
    ['npx tsc --noEmit | head', 'src/a.ts(3,1): error TS2304: Cannot find name.', false],
    ['npx tsc --noEmit | head', '', true],
    ['go build ./... 2>&1 | head', './main.go:4:2: undefined: x', false],
    ['npx eslint . | tail -3', '✖ 4 problems (4 errors, 0 warnings)', false],
    ['npm run check 2>&1 | grep -E "error|warning"', 'a.ts: error TS1', false],
    ['npm test; echo "exit: $?"', 'hm\nexit: 1', false],
    ['npm test; echo "exit: $?"', 'hm\nexit: 0', true],
    ['npm test > /dev/null 2>&1 && echo OK || echo FAIL', 'FAIL', false],
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
