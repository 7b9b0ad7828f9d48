import { describe, expect, it } from 'vitest';
import { classifyTool } from './classify-tool.ts';

const effects = (command: string) =>
  classifyTool('Bash', { command }).effects.map((one) =>
    one.does === 'make' ? one.artifact : one.does === 'state' ? one.what : one.does,
  );

describe('the kind of a tool', () => {
  it.each([
    ['Read', {}, 'read'],
    ['str_replace_editor', { command: 'view', path: 'a' }, 'read'],
    ['str_replace_editor', { command: 'create', path: 'a' }, 'write'],
    ['apply_patch', 'x', 'write'],
    ['exec_command', { cmd: 'ls' }, 'shell'],
    ['run_shell_command', { command: 'ls' }, 'shell'],
    ['google_web_search', { query: 'x' }, 'web'],
    ['message', { action: 'send' }, 'message'],
    ['message', { action: 'read' }, 'read'],
    ['mcp__slack__slack_post_message', {}, 'message'],
    ['cron', { action: 'add' }, 'cron'],
    ['cron', { action: 'list' }, 'read'],
    ['sessions_spawn', {}, 'spawn'],
    ['update_plan', {}, 'plan'],
    ['TodoWrite', {}, 'plan'],
    ['Write', { file_path: '/home/ann/.claude/plans/calm-fox.md' }, 'plan'],
    ['Edit', { file_path: '.opencode/plans/1-river.md' }, 'plan'],
    ['Write', { file_path: 'docs/plans/winter.md' }, 'write'],
    ['Write', { file_path: '/home/ann/.claude/settings.json' }, 'write'],
    ['mcp__linear-server__get_issue', {}, 'read'],
    ['mcp__linear-server__create_document', {}, 'record'],
    ['book_reservation', {}, 'record'],
    ['toggle_roaming', {}, 'record'],
    ['transfer_to_human_agents', {}, 'handoff'],
    ['find_user_id_by_email', {}, 'read'],
    ['functions.createOrder', {}, 'record'],
    ['frobnicate', {}, 'other'],
    ['', null, 'other'],
    ['__proto__', [], 'other'],
  ] as const)('%s %j is %s', (tool, input, kind) => {
    expect(classifyTool(tool, input).kind).toBe(kind);
  });
});

describe('what a shell command does', () => {
  it.each([
    ['git add -A && git commit -m "x; gh pr create"', ['commit', 'check']],
    ['git -C app commit -q', ['commit', 'check']],
    ['git push origin main', ['change', 'pushed']],
    [
      'gh pr create --title "a" --body "$(cat <<\'EOF\'\nnpm publish\nEOF\n)"',
      ['pull-request', 'pull request opened'],
    ],
    ['gh pr merge 12 --squash', ['change', 'pull request merged']],
    ['gh issue close 3', ['issue', 'issue closed']],
    ['npm publish', ['change', 'published']],
    ['curl -X POST https://api.example.com -d x', ['record']],
    ['curl -s https://example.com', []],
    ['curl -X POST http://localhost:3000', []],
    ['cd app && CI=1 npx vitest run', ['check']],
    ['python3 -m pytest -q | tail -5', ['check']],
    ['go test ./...', ['check']],
    ['mise run test:ci', ['check']],
    ['cargo build', ['check']],
    ["sed -i 's/a/b/' x.ts", ['file', 'touch']],
    ["cat > notes.md <<'EOF'\ngit commit\nEOF", ['file', 'touch']],
    ['ls > /dev/null 2>&1', []],
    ['echo "git commit" ; grep -rn "gh pr merge" .', ['answer']],
    ['ls -la', []],
    ["perl -pi -e 's/a/b/' x.ts", ['file', 'touch']],
    ["perl -0i.bak -pe 's/a/b/' x.ts", ['file', 'touch']],
    ["perl -Mstrict -ne 'print' x.ts", []],
    ['crontab jobs.txt', ['cron']],
    ['crontab -l', []],
    ['some-agent cron add --name daily', ['cron']],
    ['some-agent cron list', []],
    ['some-agent message send --to ada hello', ['message']],
    ['echo done | mail -s report ada@example.org', ['message']],
  ])('%s', (command, expected) => {
    expect(effects(command)).toEqual(expected);
  });

  it('is read from a list of words too', () => {
    const use = classifyTool('shell', { command: ['bash', '-lc', 'git commit -m x'] });
    expect(use.effects).toContainEqual({ does: 'make', artifact: 'commit' });
  });
});

describe('the target of a call', () => {
  const target = (tool: string, input: unknown) => classifyTool(tool, input).target;
  it('is the file, the address, the id or the command, not the rest', () => {
    expect(target('Edit', { file_path: 'a', x: 1 })).toBe(target('Edit', { file_path: 'a', x: 2 }));
    expect(target('Edit', { file_path: 'a' })).not.toBe(target('Edit', { file_path: 'b' }));
    expect(target('book', { user_id: 'u', price: 1 })).toBe(target('book', { user_id: 'u', price: 2 }));
    expect(target('Bash', { command: 'cd x && npm test -- a' })).toBe(
      target('Bash', { command: 'npm test 2>&1 | tail' }),
    );
    expect(target('Bash', { command: 'cat a' })).not.toBe(target('Bash', { command: 'cat b' }));
  });
});
