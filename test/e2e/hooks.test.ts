import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareEnv } from '../bare-env.ts';
import { commandFolder } from '../command-folder.ts';

const TRANSCRIPT = 'test/fixtures/session/claude-code-turns/5f0c.jsonl';

describe('hooks', () => {
  const folder = commandFolder();
  const settings = () => join(folder.path, '.claude', 'settings.json');
  const write = (text: string) => {
    mkdirSync(join(folder.path, '.claude'), { recursive: true });
    writeFileSync(settings(), text);
  };
  const installed = () => JSON.parse(readFileSync(settings(), 'utf8'));
  const OTHERS =
    '{"model":"opus",\n\t"hooks": {"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}';

  it('are added to what is there, shown, and undone to the byte', () => {
    write(OTHERS);
    chmodSync(settings(), 0o600);
    const trial = folder.assay('hooks', 'install', '--dry-run');
    expect(trial.stdout).toContain('Nothing was written.');
    expect(readFileSync(settings(), 'utf8')).toBe(OTHERS);
    const { status, stdout } = folder.assay('hooks', 'install');
    expect(status).toBe(0);
    expect(stdout).toContain('hooks run --agent claude-code');
    const { model, hooks, statusLine } = installed();
    expect(model).toBe('opus');
    expect(hooks.Stop).toHaveLength(2);
    expect(hooks.Stop[0].hooks[0].command).toBe('say done');
    expect(hooks.SessionEnd).toHaveLength(1);
    expect(statusLine.command).toContain('sessions status-line');
    expect(statSync(settings()).mode & 0o777).toBe(0o600);
    expect(folder.assay('hooks', 'install').stdout).toContain('Nothing to change.');
    expect(folder.assay('hooks', 'remove').status).toBe(0);
    expect(readFileSync(settings(), 'utf8')).toBe(OTHERS);
    expect(folder.assay('hooks', 'remove').stdout).toBe('Nothing to change.\n');
  });

  it('go alone where somebody has changed the settings since, and a status line of another stays', () => {
    write('{"statusLine":{"type":"command","command":"mine"}}');
    folder.assay('hooks', 'install');
    const changed = { ...installed(), theme: 'dark' };
    expect(changed.statusLine.command).toBe('mine');
    write(JSON.stringify(changed));
    folder.assay('hooks', 'remove');
    expect(installed()).toEqual({ statusLine: { type: 'command', command: 'mine' }, theme: 'dark' });
  });

  it('leave no file where there was none, and touch none that they cannot read', () => {
    folder.assay('hooks', 'install');
    expect(existsSync(settings())).toBe(true);
    folder.assay('hooks', 'remove');
    expect(existsSync(settings())).toBe(false);
    write('{"model": // mine\n');
    const { status, stderr } = folder.assay('hooks', 'install');
    expect(status).not.toBe(0);
    expect(stderr).toContain('settings.json');
    expect(readFileSync(settings(), 'utf8')).toBe('{"model": // mine\n');
  });

  it('of OpenClaw are files of their own', () => {
    const { stdout } = folder.assay('hooks', 'install', '--agent', 'openclaw');
    expect(stdout).toContain('Then run: openclaw hooks enable assay');
    const own = join(folder.path, '.openclaw', 'hooks', 'assay');
    expect(readFileSync(join(own, 'HOOK.md'), 'utf8')).toContain('command:new');
    expect(spawnSync(process.execPath, ['--check', join(own, 'handler.js')]).status).toBe(0);
    folder.assay('hooks', 'remove', '--agent', 'openclaw');
    expect(existsSync(own)).toBe(false);
  });

  /** As the agent runs it. */
  const call = (command: string, said: object) =>
    spawnSync('sh', ['-c', command], {
      input: JSON.stringify(said),
      env: bareEnv(folder.path),
      encoding: 'utf8',
    });

  it('score a session that has ended, and never let the agent wait or fail', async () => {
    folder.assay('hooks', 'install');
    const path = join(folder.path, '.claude', 'projects', 'p', '5f0c.jsonl');
    mkdirSync(join(path, '..'), { recursive: true });
    copyFileSync(TRANSCRIPT, path);
    const [{ hooks }] = installed().hooks.SessionEnd;
    const [{ command }] = hooks;
    const said = { hook_event_name: 'SessionEnd', transcript_path: path, session_id: '5f0c' };
    expect(call(command, said)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const store = join(folder.path, '.local', 'share', 'assay', 'assay.db');
    const stored = () =>
      folder.assay('sessions', 'score', '--from-store', '--format', 'jsonl', '--store', store).stdout;
    while (!existsSync(store) || stored() === '') await new Promise((resolve) => setTimeout(resolve, 100));
    expect(JSON.parse(stored()).session_id).toBe('5f0c');
    const gone = command.replace(process.execPath, '/nowhere/node');
    expect(gone).not.toBe(command);
    expect(call(gone, said)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(call(command, {})).toMatchObject({ status: 0, stdout: '' });
  }, 60_000);

  it('tell a watch that a session has ended', async () => {
    const path = join(folder.path, '.claude', 'projects', 'p', '5f0c.jsonl');
    mkdirSync(join(path, '..'), { recursive: true });
    const assay = [join(process.cwd(), 'bin/assay.js'), 'sessions', 'watch', '--format', 'jsonl'];
    const watch = spawn(process.execPath, assay, { cwd: folder.path, env: bareEnv(folder.path) });
    let [said, printed] = ['', ''];
    watch.stderr.on('data', (chunk) => {
      said += chunk;
    });
    watch.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    try {
      await until(() => said.includes('watching'));
      copyFileSync(TRANSCRIPT, path);
      await until(() => printed.includes('session.started'));
      const event = JSON.stringify({ hook_event_name: 'SessionEnd', transcript_path: path });
      spawnSync(process.execPath, [assay[0] ?? '', 'hooks', 'run'], {
        input: event,
        env: bareEnv(folder.path),
      });
      await until(() => printed.includes('session.scored'));
    } finally {
      watch.kill('SIGKILL');
    }
  }, 60_000);

  it('show Q so far, cost and what weighs on it in a line', () => {
    const path = join(folder.path, '5f0c.jsonl');
    copyFileSync(TRANSCRIPT, path);
    const line = (said: string) =>
      spawnSync(process.execPath, [join(process.cwd(), 'bin/assay.js'), 'sessions', 'status-line'], {
        input: said,
        encoding: 'utf8',
        env: bareEnv(folder.path),
      });
    const said = { transcript_path: path, session_id: '5f0c', cost: { total_cost_usd: 0.47 } };
    expect(line(JSON.stringify(said))).toMatchObject({
      status: 0,
      stdout: 'Q 0.88 good? · $0.47 · the person corrected it 2 times: forbade a call and said wh…\n',
      stderr: '',
    });
    expect(line('nonsense')).toMatchObject({ status: 0, stdout: 'Q –\n', stderr: '' });
  });
});
