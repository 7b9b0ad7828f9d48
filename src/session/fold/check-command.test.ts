import { describe, expect, it } from 'vitest';
import { readShell } from './shell-command.ts';

const kinds = (command: string) =>
  readShell(command).effects.flatMap((one) => (one.does === 'check' ? [one.kind] : []));

describe('a check', () => {
  it.each([
    ['pytest -q tests/unit', 'tests'],
    ['dbt test --select orders', 'tests'],
    ['opa test policies', 'tests'],
    ['clojure -M:test', 'tests'],
    ['nix flake check', 'tests'],
    ['bin/test --fast', 'tests'],
    ['sqlfluff lint models', 'lint'],
    ['buf lint', 'lint'],
    ['promtool check rules alerts.yml', 'lint'],
    ['ansible-playbook --syntax-check site.yml', 'lint'],
    ['kubeconform deploy.yaml', 'lint'],
    ['lake build', 'build'],
    ['sphinx-build -W docs out', 'build'],
    ['cdk synth', 'build'],
    ['python3.12 -m unittest discover -s tests', 'tests'],
    ['uv run --with pytest-xdist pytest -n 4', 'tests'],
    ['poetry run pytest', 'tests'],
    ['hatch run test', 'tests'],
    ['.venv/bin/pytest tests', 'tests'],
    ['tox -e py312', 'tests'],
    ['./manage.py test shop', 'tests'],
    ['npm t', 'tests'],
    ['npm --prefix web run test:unit -- --run', 'tests'],
    ['pnpm --filter @acme/api test', 'tests'],
    ['yarn workspace api test', 'tests'],
    ['npx -y vitest run src/a.test.ts', 'tests'],
    ['node --experimental-strip-types --test', 'tests'],
    ['bun test', 'tests'],
    ['deno task test', 'tests'],
    ['turbo run test --filter=web', 'tests'],
    ['nx affected -t test', 'tests'],
    ['CI=1 timeout 300 npx playwright test', 'tests'],
    ['cargo +nightly test --workspace', 'tests'],
    ['cargo nextest run', 'tests'],
    ['go test ./... -run TestX', 'tests'],
    ['dotnet test --no-build', 'tests'],
    ['mix test test/a_test.exs', 'tests'],
    ['bundle exec rspec spec/models', 'tests'],
    ['bin/rails test', 'tests'],
    ['bundle exec rake spec', 'tests'],
    ['composer run test', 'tests'],
    ['vendor/bin/phpunit --filter X', 'tests'],
    ['php artisan test', 'tests'],
    ['swift test', 'tests'],
    ['xcodebuild -scheme App -destination "platform=iOS Simulator" test', 'tests'],
    ['./gradlew :app:testDebugUnitTest', 'tests'],
    ['./mvnw -q -pl core verify', 'tests'],
    ['sbt test', 'tests'],
    ['flutter test', 'tests'],
    ['ctest --test-dir build', 'tests'],
    ['make -j8 test', 'tests'],
    ['just ci', 'checks'],
    ['mise run check', 'checks'],
    ['npm run verify', 'checks'],
    ['docker exec -it app npm test', 'tests'],
    ['docker compose exec -T web pytest', 'tests'],
    ['docker run --rm -v .:/src -w /src node:22 npm test', 'tests'],
    ['kubectl exec -n dev api-0 -- go test ./...', 'tests'],
    ['bash -lc "cd app && cargo test"', 'tests'],
    ['bash scripts/run_tests.sh', 'tests'],
    ['./scripts/check.sh', 'checks'],
    ['python tests/test_parse.py', 'tests'],
    ['prove -lr t', 'tests'],
    ['zig build test', 'tests'],
    ['npx tsc --noEmit -p .', 'types'],
    ['uvx mypy src', 'types'],
    ['pyright', 'types'],
    ['cargo check --all-targets', 'types'],
    ['go vet ./...', 'types'],
    ['pnpm typecheck', 'types'],
    ['vendor/bin/phpstan analyse', 'types'],
    ['npx eslint . --max-warnings 0', 'lint'],
    ['npx biome ci', 'lint'],
    ['ruff check .', 'lint'],
    ['black --check .', 'lint'],
    ['prettier --check "src/**"', 'lint'],
    ['cargo clippy -- -D warnings', 'lint'],
    ['golangci-lint run ./...', 'lint'],
    ['rubocop -A', 'lint'],
    ['shellcheck install.sh', 'lint'],
    ['pre-commit run --all-files', 'lint'],
    ['terraform validate', 'lint'],
    ['php -l index.php', 'lint'],
    ['node --check server.js', 'lint'],
    ['bash -n deploy.sh', 'lint'],
    ['npm run lint:fix', 'lint'],
    ['go build ./...', 'build'],
    ['cargo build --release', 'build'],
    ['npm run build', 'build'],
    ['npx next build', 'build'],
    ['dotnet build -c Release', 'build'],
    ['gradle assembleDebug', 'build'],
    ['mvn -q package -DskipTests', 'build'],
    ['swift build', 'build'],
    ['make', 'build'],
    ['cmake --build build', 'build'],
    ['gcc -Wall -o app main.c', 'build'],
    ['docker build -t app .', 'build'],
    ['mix compile --warnings-as-errors', 'build'],
    ['gh pr checks 12 --watch', 'ci'],
    ['gh run view 123 --log-failed', 'ci'],
    ['glab ci status', 'ci'],
    ['cargo run -- --config x', 'run'],
    ['go run ./cmd/app', 'run'],
    ['python app.py', 'run'],
    ['git commit -m "npm test"', 'hook'],
  ])('%s', (command, kind) => {
    expect(kinds(command)).toEqual([kind]);
  });

  it.each([
    'ls tests',
    'cat test.log',
    'grep -rn pytest .',
    'echo "run npm test"',
    'npm install vitest',
    'npm ci',
    'pip install pytest',
    'which pytest',
    'command -v cargo',
    'pytest --version',
    'pytest --collect-only',
    'npx jest --listTests --help',
    'cd test && ls',
    'mkdir -p build',
    'rm -rf build',
    'git checkout -b test',
    'git log --grep=test',
    'docker compose up -d',
    'make clean',
    'npm run format',
    'mise run fmt',
    'go mod tidy',
    'cargo add serde',
    'npx tsc --init',
    'npx tsc --watch',
    'python -c "print(1)"',
    'touch tests/a.py',
    'vim build.sh',
    'gh pr view 3',
    'cat <<EOF\nnpm test\nEOF',
    'git stash && npm test; git stash pop',
    '[ -f package.json ]',
    'test -f build',
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

  it.each([
    'npm test | tail -5',
    'npm test || true',
    'npm test; echo done',
    '(cd a && npm test) 2>&1 | tail',
    'npm test &\nwait',
    'npm test\nls',
  ])('is hidden in %j', (command) => {
    expect(isHidden(command)).toBe(true);
  });

  it.each([
    'npm test',
    'cd a && npm test 2>&1',
    'npm run lint && npm test && git push',
    'ls; npm test',
    'set -euo pipefail; npm test | tail -5',
    'git log | head; npm test > /tmp/out 2>&1',
  ])('is the one of %j', (command) => {
    expect(isHidden(command)).toBe(false);
  });
});
