import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { smallDisk } from '../../src/server/testing/small-disk.ts';
import { holdStore } from '../../src/store/testing/change-store.ts';
import { bareEnv } from '../bare-env.ts';
import { commandFolder } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

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

  it('are added to what is there, shown, and undone to the byte', async () => {
    write(OTHERS);
    chmodSync(settings(), 0o600);
    const trial = await folder.assay('hooks', 'install', '--dry-run');
    expect(trial.stdout).toContain('Nothing was written.');
    expect(readFileSync(settings(), 'utf8')).toBe(OTHERS);
    const { status, stdout } = await folder.assay('hooks', 'install');
    expect(status).toBe(0);
    expect(stdout).toContain('hooks run --agent claude-code');
    const { model, hooks, statusLine } = installed();
    expect(model).toBe('opus');
    expect(hooks.Stop).toHaveLength(2);
    expect(hooks.Stop[0].hooks[0].command).toBe('say done');
    expect(hooks.SessionEnd).toHaveLength(1);
    expect(statusLine.command).toContain('sessions status-line');
    expect(statSync(settings()).mode & 0o777).toBe(0o600);
    expect((await folder.assay('hooks', 'install')).stdout).toContain('Nothing to change.');
    expect((await folder.assay('hooks', 'remove')).status).toBe(0);
    expect(readFileSync(settings(), 'utf8')).toBe(OTHERS);
    expect((await folder.assay('hooks', 'remove')).stdout).toBe('Nothing to change.\n');
  });

  it('go alone where somebody has changed the settings since, and a status line of another stays', async () => {
    write('{"statusLine":{"type":"command","command":"mine"}}');
    await folder.assay('hooks', 'install');
    const changed = { ...installed(), theme: 'dark' };
    expect(changed.statusLine.command).toBe('mine');
    write(JSON.stringify(changed));
    await folder.assay('hooks', 'remove');
    expect(installed()).toEqual({ statusLine: { type: 'command', command: 'mine' }, theme: 'dark' });
  });

  it('leave no file where there was none, and touch none that they cannot read', async () => {
    await folder.assay('hooks', 'install');
    expect(existsSync(settings())).toBe(true);
    await folder.assay('hooks', 'remove');
    expect(existsSync(settings())).toBe(false);
    write('{"model": // mine\n');
    const { status, stderr } = await folder.assay('hooks', 'install');
    expect(status).not.toBe(0);
    expect(stderr).toContain('settings.json');
    expect(readFileSync(settings(), 'utf8')).toBe('{"model": // mine\n');
  });

  it('of OpenClaw are files of their own', async () => {
    const { stdout } = await folder.assay('hooks', 'install', '--agent', 'openclaw');
    expect(stdout).toContain('Then run: openclaw hooks enable assay');
    const own = join(folder.path, '.openclaw', 'hooks', 'assay');
    expect(readFileSync(join(own, 'HOOK.md'), 'utf8')).toContain('command:new');
    expect(spawnSync(process.execPath, ['--check', join(own, 'handler.js')]).status).toBe(0);
    await folder.assay('hooks', 'remove', '--agent', 'openclaw');
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
    await folder.assay('hooks', 'install');
    const path = join(folder.path, '.claude', 'projects', 'p', '5f0c.jsonl');
    mkdirSync(join(path, '..'), { recursive: true });
    copyFileSync(TRANSCRIPT, path);
    const [{ hooks }] = installed().hooks.SessionEnd;
    const [{ command }] = hooks;
    const said = { hook_event_name: 'SessionEnd', transcript_path: path, session_id: '5f0c' };
    expect(call(command, said)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const store = join(folder.path, '.local', 'share', 'assay', 'assay.db');
    const stored = async () =>
      (await folder.assay('sessions', 'score', '--no-sync', '--format', 'jsonl', '--store', store)).stdout;
    while (!existsSync(store) || (await stored()) === '')
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(JSON.parse(await stored()).session_id).toBe('5f0c');
    const gone = command.replace(process.execPath, '/nowhere/node');
    expect(gone).not.toBe(command);
    expect(call(gone, said)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const program = awaited(command);
    expect(call(program.command, {})).toMatchObject({ status: 0, stdout: '' });
    await program.end();
  });

  /** The program that a hook starts and nobody waits for; here somebody does, because it writes into the folder of the test. */
  const awaited = (command: string) => {
    const [path, ends] = [join(folder.path, 'awaited.sh'), join(folder.path, 'ended')];
    writeFileSync(path, `#!/bin/sh\n'${process.execPath}' "$@"\necho > '${ends}'\n`);
    chmodSync(path, 0o755);
    return {
      command: command.replace(process.execPath, path),
      end: async () => {
        await until(() => existsSync(ends));
        rmSync(ends);
      },
    };
  };
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  /** A program that says that it began, and does not end before it is told to. */
  const lasting = () => {
    const [began, goes] = [join(folder.path, 'began'), join(folder.path, 'go')];
    const path = join(folder.path, 'lasting.sh');
    writeFileSync(
      path,
      `#!/bin/sh\necho > '${began}'\nuntil [ -e '${goes}' ]; do sleep 0.05; done\nrm '${goes}'\n`,
    );
    chmodSync(path, 0o755);
    return { path, began, goes };
  };

  it('are done while what they started goes on, however long that takes', async () => {
    await folder.assay('hooks', 'install');
    const { path, began, goes } = lasting();
    for (const event of ['Stop', 'SessionEnd']) {
      const [{ hooks }] = installed().hooks[event];
      const command = String(hooks[0].command).replace(process.execPath, path);
      expect(command).toContain(path);
      // It would never come back if it waited.
      expect(call(command, { hook_event_name: event })).toMatchObject({ status: 0, stdout: '', stderr: '' });
      await until(() => existsSync(began));
      writeFileSync(goes, '');
      await until(() => !existsSync(goes));
    }
  });

  it('never fail: with a disk that is full, a store that others hold, a home that is none', async ({
    skip,
  }) => {
    await folder.assay('hooks', 'install');
    const [{ hooks }] = installed().hooks.SessionEnd;
    const [{ command }] = hooks;
    const said = (path: string) => ({ hook_event_name: 'SessionEnd', transcript_path: path });
    /** The program itself, which the hook starts and nobody waits for, ends well, too. */
    const run = (home: string, path: string) =>
      spawnSync(process.execPath, [LAUNCHER, 'hooks', 'run'], {
        input: JSON.stringify(said(path)),
        env: { ...bareEnv(home), XDG_DATA_HOME: join(home, 'data') },
        encoding: 'utf8',
      });
    expect(run('/dev/null/nowhere', '/nowhere/5f0c.jsonl')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    });
    const path = join(folder.path, '.claude', 'projects', 'p', '5f0c.jsonl');
    mkdirSync(join(path, '..'), { recursive: true });
    copyFileSync(TRANSCRIPT, path);
    expect(run(folder.path, path)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const { letGo } = holdStore(join(folder.path, 'data', 'assay', 'assay.db'));
    // Both wait for the store at the same time.
    const program = awaited(command);
    expect(call(program.command, said(path))).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(run(folder.path, path)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    await program.end();
    letGo();
    const disk = smallDisk(500);
    if (disk === undefined) return skip('this system lets nobody mount a small disk');
    const own = join(disk.folder, '.claude', 'projects', 'p', '5f0c.jsonl');
    mkdirSync(join(own, '..'), { recursive: true });
    copyFileSync(TRANSCRIPT, own);
    disk.fill();
    expect(run(disk.folder, own)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  }, 120_000);

  it('of OpenClaw call the program as the gateway would, and the gateway goes on', async () => {
    await folder.assay('hooks', 'install', '--agent', 'openclaw');
    const handler = join(folder.path, '.openclaw', 'hooks', 'assay', 'handler.js');
    const { path, began, goes } = lasting();
    writeFileSync(
      join(folder.path, 'handler.mjs'),
      readFileSync(handler, 'utf8').replace(JSON.stringify(process.execPath), JSON.stringify(path)),
    );
    const { default: handle } = await import(join(folder.path, 'handler.mjs'));
    await handle({
      type: 'command',
      action: 'new',
      context: { sessionEntry: { sessionFile: '/nowhere/a.jsonl' } },
    });
    await until(() => existsSync(began));
    writeFileSync(goes, '');
    await until(() => !existsSync(goes));
    for (const odd of [undefined, null, {}, { context: null }, { context: { sessionEntry: 3 } }]) {
      await handle(odd);
      writeFileSync(goes, '');
      await until(() => !existsSync(goes));
    }
  });

  it('tell a watch that a session has ended', async () => {
    const path = join(folder.path, '.claude', 'projects', 'p', '5f0c.jsonl');
    mkdirSync(join(path, '..'), { recursive: true });
    const assay = [LAUNCHER, 'sessions', 'watch', '--format', 'jsonl'];
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
  });

  it('show Q so far, cost and what weighs on it in a line', () => {
    const path = join(folder.path, '5f0c.jsonl');
    const now = `"timestamp":"${new Date().toISOString()}"`;
    writeFileSync(path, readFileSync(TRANSCRIPT, 'utf8').replaceAll(/"timestamp":"[^"]+"/g, now));
    const line = (said: string) =>
      spawnSync(process.execPath, [LAUNCHER, 'sessions', 'status-line'], {
        input: said,
        encoding: 'utf8',
        env: bareEnv(folder.path),
      });
    const said = { transcript_path: path, session_id: '5f0c', cost: { total_cost_usd: 0.47 } };
    expect(line(JSON.stringify(said))).toMatchObject({
      status: 0,
      stdout: 'Q 0.88 good, not verified · $0.47 · You rejected a tool call (line 9)\n',
      stderr: '',
    });
    expect(line('nonsense')).toMatchObject({ status: 0, stdout: 'Q –\n', stderr: '' });
  });
});
