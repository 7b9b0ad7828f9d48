import { describe, expect, it } from 'vitest';
import { regexWork } from '../../testing/regex-work.ts';
import { readShell } from './shell-command.ts';
import { withInnerCommands } from './shell-syntax.ts';
import { did, ran, reply, runOf, user } from './testing/fold-events.ts';

const checks = (command: string) =>
  readShell(command).effects.flatMap((one) => (one.does === 'check' ? [one.kind] : []));

describe('a check in quotes', () => {
  it.each([
    ['bash -lc "cd app && npm test"', 'tests'],
    ["docker exec app sh -c 'cd /srv && pytest -q'", 'tests'],
    ["ssh -p 2222 -i key me@host 'cd /srv && make test'", 'tests'],
    ['ssh -o "StrictHostKeyChecking no" host "cargo test"', 'tests'],
    ['pwsh -NoProfile -Command "Invoke-Pester"', 'tests'],
    ['powershell.exe -Command "dotnet build"', 'build'],
    ['su - app -c "pytest"', 'tests'],
    [`bash -c "ssh host 'npm test'"`, 'tests'],
    ["Rscript -e 'devtools::test()'", 'tests'],
    ["julia --project -e 'using Pkg; Pkg.test()'", 'tests'],
    ['python -c "import pytest; pytest.main()"', 'tests'],
    ["bash <<'EOF'\ncd app\nnpm test\nEOF", 'tests'],
  ])('is seen: %s', (command, kind) => {
    expect(checks(command)).toEqual([kind]);
  });

  it.each([
    'echo "npm test"',
    'python -c "print(1)"',
    "cat > check.sh <<'EOF'\nnpm test\nEOF",
    'grep -rn "bash -c" .',
  ])('is not seen in: %s', (command) => {
    expect(checks(command)).toEqual([]);
  });

  it('still tells that its exit code is hidden', () => {
    const effects = readShell('bash -c "npm test" | tail -5').effects;
    expect(effects).toMatchObject([{ does: 'check', hidden: true }]);
  });

  it.each([
    ['python -c "from app.parse import parse; assert parse(1)"', 'src/app/parse.py'],
    ["python3 - <<'EOF'\nimport parse\nprint(parse.rows())\nEOF", 'parse.py'],
    [`node -e "console.log(require('./src/parse')(1))"`, 'src/parse.js'],
    [`ruby -e "require_relative 'lib/parse'; p parse(1)"`, 'lib/parse.rb'],
  ])('runs what was changed: %s', (command, path) => {
    const wrote = did('Write', { file_path: path, content: 'x = 1' }, true);
    const checked = (...more: Parameters<typeof ran>) =>
      runOf(user('Write a parser'), ...wrote, ...ran(...more), reply('Done.')).work?.check;
    expect(checked(command, true, '3')).toMatchObject({ passed: true });
    expect(checked(command, false, 'Traceback (most recent call last)\nAssertionError')).toMatchObject({
      passed: false,
    });
    expect(checked(command.replaceAll('parse', 'other'), true, '3')).toBeUndefined();
  });

  it('costs little to look for in hostile lines', () => {
    const lines = ['ssh '.repeat(500), "bash -c '".repeat(220), 'python a '.repeat(220), '/'.repeat(2_000)];
    for (const line of lines) {
      const { calls, longest } = regexWork(() => withInnerCommands(line));
      expect(calls).toBeLessThan(2_000);
      expect(longest).toBeLessThan(4_100);
    }
  });
});

describe('a command that the person runs beside the agent', () => {
  const wrote = did('Write', { file_path: 'src/a.ts', content: 'export const a = 1;' }, true);
  const seen = (command: string, text: string, ok?: boolean) =>
    runOf(user('Write a'), ...wrote, reply('Done.'), {
      kind: 'person-command',
      command,
      text,
      ok,
    });

  it('checks the work like one of the agent, and is no call', () => {
    const run = seen('npm test', 'Tests  12 passed (12)');
    expect(run.work?.check).toMatchObject({ passed: true });
    expect(run.tools.calls).toBe(1);
    expect(run.turns).toBe(1);
    expect(seen('npm test', '2 failed').work?.check).toMatchObject({ passed: false });
    expect(seen('pytest', '', true).work?.check).toMatchObject({ passed: true });
    expect(seen('pytest', '', false).work?.check).toMatchObject({ passed: false });
  });
});
