import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { harmless } from '../../src/report/unsafe-text.ts';
import { commandFolder } from '../command-folder.ts';

/** Clears the screen, sets its title, as C1 too, turns the line around, and looks like a message of ours. */
const HOSTILE = '\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp\u2066\u2028\nassay: all is well';
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose.
const DRIVES = /(?!\r?\n)[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const folder = commandFolder();

/** A transcript in which everything that is a text is hostile, in a file whose name is. */
function plant(): string {
  const at = (minute: number) => `2026-01-01T10:0${minute}:00.000Z`;
  const base = { sessionId: `one${HOSTILE}`, cwd: `/work/${HOSTILE}`, version: HOSTILE, gitBranch: HOSTILE };
  const lines = [
    { type: 'user', uuid: 'a', timestamp: at(0), message: { role: 'user', content: `please ${HOSTILE}` } },
    {
      type: 'assistant',
      uuid: 'b',
      parentUuid: 'a',
      timestamp: at(1),
      message: {
        id: 'm1',
        role: 'assistant',
        model: `model${HOSTILE}`,
        content: [{ type: 'tool_use', id: 't1', name: `Bash${HOSTILE}`, input: { command: HOSTILE } }],
        usage: { input_tokens: 10, output_tokens: 10 },
      },
    },
    {
      type: 'user',
      uuid: 'c',
      parentUuid: 'b',
      timestamp: at(2),
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: HOSTILE }],
      },
    },
  ];
  const name = `s${HOSTILE.replaceAll('/', '')}.jsonl`;
  writeFileSync(
    join(folder.path, name),
    lines.map((line) => `${JSON.stringify({ ...base, ...line })}\n`).join(''),
  );
  writeFileSync(join(folder.path, `broken${name}`), 'no transcript');
  return name;
}

function expectStill({ stdout, stderr }: { stdout: string; stderr: string }): void {
  expect(stdout).not.toMatch(DRIVES);
  expect(stderr).not.toMatch(DRIVES);
  expect(`${stdout}${stderr}`.split('\n')).not.toContain('assay: all is well');
}

describe('nothing that was read drives the terminal', () => {
  it.each(['table', 'json', 'jsonl', 'csv', 'markdown', 'html'])('sessions score as %s', async (format) => {
    const name = plant();
    const result = await folder.assay('sessions', 'score', name, `broken${name}`, '--format', format);
    expect(result.stdout).not.toBe('');
    expectStill(result);
  });

  it('explain, skipped, flags and rate, also with --debug', async () => {
    const name = plant();
    for (const words of [
      ['sessions', 'explain', 'one', name],
      ['sessions', 'explain', `two${HOSTILE}`, name, '--debug'],
      ['sessions', 'skipped', name, `broken${name}`],
      ['sessions', 'attention', name],
      ['sessions', 'rate', name, '--list'],
      ['sessions', 'rate', name],
      ['sessions', 'score', `no-such-file${HOSTILE}`, '--debug'],
    ]) {
      const result = await folder.assay(...words);
      expect(result.stdout + result.stderr, words.join(' ')).not.toBe('');
      expectStill(result);
    }
  });

  it('names of files, folders, stores and configurations in messages', async () => {
    const config = folder.write('assay.config.json', { store: `s${HOSTILE}.db` });
    mkdirSync(join(folder.path, `golden${HOSTILE}`));
    for (const words of [
      ['config', '--config', config],
      ['config', '--config', config, '--format', 'json'],
      ['config', '--config', `x${HOSTILE}`, '--debug'],
      ['runs', '--config', config],
      ['runs', HOSTILE],
      ['decomposition', 'lint', `golden${HOSTILE}`],
      ['decomposition', 'run', '--outputs', HOSTILE, '--debug'],
      ['workflow', 'score', '--truth', HOSTILE, '--runs', HOSTILE],
      [HOSTILE],
    ])
      expectStill(await folder.assay(...words));
  });
});

describe('the last gate', () => {
  it('lets lines and our colours through, and nothing else that drives', () => {
    expect(harmless('a\r\nb\n')).toBe('a\r\nb\n');
    expect(harmless('\x1b[1mbold\x1b[0m\x1b[2J\r', true)).toBe('\x1b[1mbold\x1b[0m␛[2J␍');
    expect(harmless('\x1b[1mbold')).toBe('␛[1mbold');
    expect(harmless(HOSTILE)).not.toMatch(DRIVES);
  });
});
