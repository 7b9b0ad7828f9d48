/** Ids and titles that a transcript chose, in what is printed and in the commands that are printed to be copied. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bareEnv } from '../bare-env.ts';
import { commandFolder } from '../command-folder.ts';

const folder = commandFolder();

const CLEARS = '\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp\u2066\u2028\nassay: all is well';
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose.
const DRIVES = /(?!\r?\n)[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const IDS = [
  '$(touch owned)',
  "';touch owned;'",
  '`touch owned`',
  '--help',
  '-x',
  '../../etc/passwd',
  '..',
  'line\n--out=owned',
  '~',
  '*',
  '!!',
  '=ls',
  'a;touch owned',
  '&& touch owned',
  `clears${CLEARS}`,
  'é'.repeat(200),
];

function plant(ids: readonly string[]): void {
  const lines = ids.flatMap((session_id, i) => {
    const base = { session_id, timestamp: `2026-01-01T10:00:${String(i).padStart(2, '0')}.000Z` };
    return [
      { ...base, type: 'session', agent: `bot${CLEARS}`, project: `/work/${CLEARS}` },
      { ...base, type: 'user', text: `${CLEARS}Fix this ${CLEARS}` },
      { ...base, type: 'assistant', model: `model${CLEARS}`, text: `It failed ${CLEARS}` },
    ];
  });
  writeFileSync(join(folder.path, 's.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

it.each(['table', 'json', 'jsonl', 'csv', 'markdown', 'html'])(
  'titles of a list drive no terminal: %s',
  async (format) => {
    plant(IDS);
    for (const words of [
      ['list'],
      ['list', '--by', 'project'],
      ['outcomes'],

      ['roi'],
      ...(['csv', 'jsonl'].includes(format) ? [] : [['digest', '--since', '9999d']]),
    ]) {
      const { stdout, stderr } = await folder.assay('sessions', ...words, 's.jsonl', '--format', format);
      expect(stdout, words.join(' ')).not.toBe('');
      expect(stdout + stderr, words.join(' ')).not.toMatch(DRIVES);
      expect(`${stdout}${stderr}`.split('\n')).not.toContain('assay: all is well');
    }
    expect(existsSync(join(folder.path, 'owned'))).toBe(false);
  },
);

it.each(IDS)('the command that is printed for %j means that session, in a shell too', async (id) => {
  plant([id]);
  const { stdout } = await folder.assay('sessions', 'list', 's.jsonl');
  const hint = /assay sessions explain (?:.|\\\n)*? s\.jsonl|assay sessions explain -- .* s\.jsonl/.exec(
    stdout,
  )?.[0];
  const script = `assay() { printf '%s\\0' "$@"; }\n${hint?.replace('explain', 'explain --format json')}`;
  const { stdout: split } = spawnSync('bash', ['-c', script], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...bareEnv(folder.path), LC_ALL: 'C' },
  });
  const shown = await folder.assay(...split.split('\0').slice(0, -1));
  expect(shown.stderr).toBe('');
  expect(JSON.parse(shown.stdout)).toMatchObject({ session_id: id });
  expect(existsSync(join(folder.path, 'owned'))).toBe(false);
});

it('what explain shows of a session drives no terminal either', async () => {
  plant(IDS.slice(0, 1));
  for (const format of ['table', 'json', 'markdown', 'html']) {
    const { stdout, stderr } = await folder.assay(
      'sessions',
      'explain',
      '$(touch',
      's.jsonl',
      '--show',
      '--format',
      format,
    );
    expect(stdout).not.toBe('');
    expect(stdout + stderr).not.toMatch(DRIVES);
    expect(stdout.split('\n')).not.toContain('assay: all is well');
  }
});

it('completion holds words of the command line alone, and runs nothing that was typed', async () => {
  plant(IDS);
  const { stdout: script } = await folder.assay('completion', 'bash');
  expect(script).not.toContain('touch');
  const typed = `COMP_WORDS=(assay sessions explain '$(touch owned)' '\`touch owned\`'); COMP_CWORD=4; _assay; COMP_CWORD=3; _assay`;
  const { stderr } = spawnSync('bash', ['-c', `${script}\n${typed}`], { cwd: folder.path, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(existsSync(join(folder.path, 'owned'))).toBe(false);
});
