/**
 * A folder may hold a configuration that is a program, written by whoever may write there: an agent, or the owner of a
 * repository. What agents, editors and services start must not run it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../src/cli/command-list.ts';
import { bareEnv } from '../bare-env.ts';
import { assayIn, commandFolder } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

const folder = commandFolder();
const at = (name: string) => join(folder.path, name);
const hasRun = () => existsSync(at('ran'));

/** It leaves a file behind when it is run. */
function plant(name: string): string {
  const text = `require('node:fs').writeFileSync(${JSON.stringify(at('ran'))}, ''); module.exports = {};`;
  writeFileSync(at(name), text);
  return name;
}

const run = (words: readonly string[], input: object = {}) =>
  assayIn(folder.path, words, { stdin: JSON.stringify(input) });

/** Claude Code as it calls both: with a session that is there. */
function session(): object {
  const path = at('.claude/projects/p/5f0c.jsonl');
  mkdirSync(join(path, '..'), { recursive: true });
  copyFileSync('test/fixtures/session/claude-code-turns/5f0c.jsonl', path);
  return { hook_event_name: 'SessionEnd', transcript_path: path, session_id: '5f0c' };
}

it('is a configuration that does run where a person types a command', async () => {
  plant('assay.config.js');
  expect((await folder.assay('config')).status).toBe(0);
  expect(hasRun()).toBe(true);
});

describe.each(['assay.config.js', 'assay.config.ts'])('%s of the folder is not run', (name) => {
  it('by what hooks call', async () => {
    const said = session();
    await folder.assay('hooks', 'install');
    plant(name);
    const { hooks, statusLine } = JSON.parse(readFileSync(at('.claude/settings.json'), 'utf8'));
    for (const command of [hooks.SessionEnd[0].hooks[0].command, statusLine.command]) {
      // In the foreground, so that nothing is left to happen after the test.
      const [words = ''] = /hooks run --agent [\w-]+|sessions status-line/.exec(command) ?? [];
      const { status, stderr } = await run(words.split(' '), said);
      expect([status, stderr]).toEqual([0, '']);
    }
    expect((await run(['sessions', 'status-line'], said)).stdout).toContain('Q ');
    expect(hasRun()).toBe(false);
  });

  it('by the server for agents, which says so', async () => {
    plant(name);
    const { status, stderr } = await run(['mcp']);
    expect(status).toBe(0);
    expect(stderr).toMatch(/Skipped .*assay\.config\.[jt]s: /);
    expect(hasRun()).toBe(false);
  });

  it.each([[[]], [['--summary']]])('by assay serve %j, which says so', async (words) => {
    plant(name);
    const args = [LAUNCHER, 'serve', '--port', '0', ...words];
    const child = spawn(process.execPath, args, { cwd: folder.path, env: bareEnv(folder.path) });
    onTestFinished(() => void child.kill('SIGKILL'));
    let [printed, noted] = ['', ''];
    child.stderr.on('data', (chunk) => {
      noted += chunk;
    });
    for await (const chunk of child.stdout) {
      printed += chunk;
      if (printed.includes('Assay is at')) break;
    }
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(noted).toMatch(/Skipped .*assay\.config\.[jt]s: /);
    expect(hasRun()).toBe(false);
  });

  it('even when it is named', async () => {
    plant(name);
    for (const command of ['serve', 'mcp']) {
      const { status, stderr } = await run([command, '--config', name]);
      expect([status, stderr]).toEqual([
        3,
        expect.stringMatching(/is a \.ts or \.js file[\s\S]*assay\.config\.json/),
      ]);
    }
    expect(hasRun()).toBe(false);
  });
});

it('data beside it is read instead', async () => {
  plant('assay.config.js');
  writeFileSync(at('assay.config.yaml'), 'session: { flagBelow: 0.5 }\n');
  expect((await run(['mcp'])).stderr).toMatch(/Skipped .*assay\.config\.js: /);
  writeFileSync(at('assay.config.yaml'), 'session: { flagBelow: 7 }\n');
  const { status, stderr } = await run(['mcp']);
  expect(status).toBe(3);
  expect(stderr).toContain('session.flagBelow');
  expect(hasRun()).toBe(false);
});

describe('a store and addresses that the configuration of a folder names', () => {
  const skipped = async () => (await run(['mcp'])).stderr;

  it('are used only after assay trust, for the content that was trusted', async () => {
    writeFileSync(
      at('assay.config.yaml'),
      'store: foreign/assay.db\nsession: { flagBelow: 0.5, langfuse: "http://127.0.0.1:9" }\n',
    );
    expect(await skipped()).toMatch(/Skipped store, session\.langfuse of .*assay\.config\.yaml/);
    expect(existsSync(at('foreign'))).toBe(false);
    expect((await folder.assay('trust')).status).toBe(0);
    expect(await skipped()).not.toContain('Skipped');
    writeFileSync(at('assay.config.yaml'), 'store: other/assay.db\n');
    expect(await skipped()).toContain('Skipped store of');
    await folder.assay('trust');
    await folder.assay('trust', '--remove');
    expect(await skipped()).toContain('Skipped store of');
  });

  it('are used where a person names the file or types another command', async () => {
    writeFileSync(at('assay.config.yaml'), 'store: own/assay.db\n');
    expect((await run(['mcp', '--config', 'assay.config.yaml'])).stderr).not.toContain('Skipped');
    expect((await folder.assay('config')).stdout).toMatch(/^ *store .* file$/m);
  });
});

it('commands that read data only are those that agents, editors and services start', async () => {
  const commands = await Promise.all(COMMANDS.map(async (entry) => (await entry.load()).command));
  const names = commands.flatMap(({ name, dataOnly }) => (dataOnly ? [name] : []));
  expect(names.toSorted()).toEqual(['hooks run', 'mcp', 'serve', 'sessions status-line']);
});
