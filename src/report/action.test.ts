import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { carry, commandLine } from './action.ts';

test('an action is printed as the command that does it', () => {
  expect(
    commandLine({
      operation: 'things compare',
      positionals: ['v1', 'my runs'],
      options: { experiment: "it's", all: true, quiet: false, limit: 3, since: undefined },
      into: 'report.html',
    }),
  ).toBe(`assay things compare v1 'my runs' --experiment 'it'\\''s' --all --limit 3 > report.html`);
});

test('words that start like an option stay values', () => {
  expect(commandLine({ operation: 'score', positionals: ['-x'], options: { name: '-y' } })).toBe(
    'assay score --name=-y -- -x',
  );
  expect(commandLine({ operation: 'score', positionals: ['-'] })).toBe('assay score -');
});

test('a shell reads back every word as it was', () => {
  const word = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (positionals) => {
      const line = commandLine({ operation: 'x', positionals });
      const said = execFileSync('/bin/sh', ['-c', `assay() { printf '%s\\0' "$@"; }; ${line}`], {
        encoding: 'utf8',
      });
      const words = said.split('\0').slice(1, -1);
      expect(words.filter((one) => one !== '--')).toEqual(positionals.filter((one) => one !== '--'));
    }),
    { numRuns: 25 },
  );
});

test('only what was given is carried on', () => {
  expect(carry({ golden: 'g', all: true }, ['golden', 'outputs', 'toString'])).toEqual({ golden: 'g' });
});

test('spells out what cannot be shown, so that the line can be copied and drives no terminal', () => {
  const word = "a\x1b[2J'\\\u202e\n\u{e0041}é";
  const line = commandLine({ operation: 'runs', positionals: [word] });
  expect(line).toBe("assay runs $'a\\033[2J\\'\\\\\\342\\200\\256\\012\\363\\240\\201\\201é'");
  const printed = execFileSync('bash', ['-c', `printf %s ${line.slice('assay runs '.length)}`], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  expect(printed).toBe(word);
});
