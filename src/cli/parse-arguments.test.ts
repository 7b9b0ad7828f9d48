import { describe, expect, it } from 'vitest';
import { defineCommand, type Options } from './command.ts';
import { parseArguments } from './parse-arguments.ts';

const OPTIONS = {
  store: { type: 'path', value: 'PATH', doc: '' },
  label: { type: 'text', value: 'NAME', doc: '', default: 'assay' },
  from: { type: 'text', value: 'NAME', doc: '', required: true },
  share: { type: 'number', min: 0.05, max: 0.95, value: 'SHARE', doc: '', default: 0.5 },
  count: { type: 'number', min: 1, whole: true, value: 'N', doc: '' },
  cost: { type: 'number', above: 0, value: 'USD', doc: '' },
  by: { type: 'choice', choices: ['model', 'agent'], doc: '', default: 'model' },
  kind: { type: 'list', choices: ['runs', 'sessions'], value: 'KIND,…', doc: '' },
  min: { type: 'pairs', number: true, keys: () => ['dr', 'f1'], value: 'KEY=N,…', doc: '' },
  for: { type: 'duration', value: 'TIME', doc: '' },
  until: { type: 'time', end: true, value: 'TIME', doc: '' },
  timezone: { type: 'timezone', value: 'ZONE', doc: '' },
  command: { type: 'text', value: 'LINE', doc: '' },
  list: { type: 'flag', doc: '' },
} as const satisfies Options;

const command = defineCommand({
  name: 'try',
  summary: 'Try it',
  positionals: { usage: 'FILE', min: 1, max: 1 },
  options: OPTIONS,
  examples: [],
  run: async () => 0,
});

const parse = (...words: string[]) => parseArguments(command, ['a.txt', '--from', 'here', ...words]);

describe('the parser', () => {
  it('gives every option its value, and what was typed', async () => {
    const { values, positionals, given } = await parse(
      ...['--share', '0.05', '--count=3', '--kind', 'runs', '--kind', 'sessions', '--min', 'dr=60, f1=0.5'],
      ...['--for', '8h', '--until', '2026-03-29', '--timezone', 'Europe/Berlin', '--by', 'model', '--list'],
    );
    expect(values).toEqual({
      ...{ from: 'here', label: 'assay', share: 0.05, count: 3, by: 'model', list: true, help: false },
      ...{ kind: ['runs', 'sessions'], timezone: 'Europe/Berlin', for: 28_800_000, debug: false },
      min: [
        ['dr', 60],
        ['f1', 0.5],
      ],
      // The day on which clocks change has 23 hours.
      until: Date.parse('2026-03-29T22:00:00Z'),
      'no-color': false,
    });
    expect(positionals).toEqual(['a.txt']);
    expect(given).not.toHaveProperty('by');
    expect(given).toMatchObject({ share: '0.05', kind: 'runs,sessions', list: true });
  });

  it.each([
    ['--share=0', '--share is a number from 0.05 to 0.95, not "0"'],
    ['--share=few', '--share is a number from 0.05 to 0.95, not "few"'],
    ['--count=1.5', '--count is a whole number of at least 1, not "1.5"'],
    ['--cost=0', '--cost is a number above 0, not "0"'],
    ['--by=models', '--by takes one of model, agent, not "models"; did you mean "model"?'],
    ['--kind=runs,sesions', '--kind takes one of runs, sessions, not "sesions"; did you mean "sessions"?'],
    ['--min=dx=1', '--min: "dx" is none of dr, f1; did you mean "dr"?'],
    ['--min=dr=high', '--min takes KEY=N,… with a number, not "dr=high"'],
    ['--for=soon', '--for takes a duration such as 90s, 15m, 2h or 7d, not "soon"'],
    ['--until=soon', '--until takes a date such as 2026-11-12, or an age such as 7d, 24h or 2w, not "soon"'],
    ['--timezone=Mars', '--timezone: unknown zone "Mars"'],
    ['--store=', '--store is empty; is a variable not set?'],
    ['--label= ', '--label is empty; is a variable not set?'],
    ['--stor=x', 'there is no option "--stor"; did you mean "--store"?'],
    ['-by', 'there is no option "-by"; did you mean "--by"?'],
    ['b.txt', '"b.txt" is one argument too many'],
  ])('refuses %s', async (word, message) => {
    await expect(parse(word)).rejects.toThrow(`assay try: ${message}`);
  });

  it('names what is missing, empty or given twice', async () => {
    await expect(parseArguments(command, ['--from', 'x'])).rejects.toThrow('needs FILE');
    await expect(parseArguments(command, ['a.txt'])).rejects.toThrow('needs --from NAME');
    await expect(parseArguments(command, ['', '--from', 'x'])).rejects.toThrow('the argument FILE');
    await expect(parse('--label', 'a', '--label', 'b')).rejects.toThrow('--label appears 2 times');
  });

  it('masks keys in a command that a report will quote', async () => {
    const { given } = await parse(
      '--command',
      'curl -H "Authorization: Bearer sk-ant-api03-abcdefghijklmnop"',
    );
    expect(given.command).not.toContain('abcdefghijklmnop');
  });
});
