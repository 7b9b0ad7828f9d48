import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mask, maskLine, maskText, secretsIn } from './secrets.ts';

const KEY = 'sk/te+st-9f8e"7d6c=5b4a';
const unit = (text: string) =>
  Array.from(text, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

describe('a key', () => {
  it.each([
    ['as it is', KEY],
    ['in a URL', encodeURIComponent(KEY)],
    ['in a URL in small letters', encodeURIComponent(KEY).toLowerCase().replace(KEY.toLowerCase(), KEY)],
    ['in JSON', JSON.stringify(KEY)],
    ['in JSON with escaped slashes', JSON.stringify(KEY).replaceAll('/', '\\/')],
    ['in JSON, every letter escaped', unit(KEY)],
    ['in hexadecimal', Buffer.from(KEY).toString('hex')],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['in HTML', KEY.replaceAll('"', '&quot;').replaceAll('+', '&#43;').replaceAll('/', '&#x2F;')],
    ['in HTML twice over', KEY.replaceAll('"', '&amp;quot;')],
    ['in a URL twice over', encodeURIComponent(encodeURIComponent(KEY))],
    ['in JSON, some letters escaped', `\\u0073k\\u002fte${JSON.stringify(KEY).slice(6, -1)}`],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(KEY).replace('sk', '\\u0073k')).slice(3, -3)],
    ['as a program spells it', KEY.replaceAll('/', '\\x2f').replaceAll('=', '\\u{3d}')],
    ['in base64 of broken lines', Buffer.from(KEY).toString('base64').replace(/.{12}/g, '$&\r\n').trim()],
    ['split by a colour', KEY.replace('st-', 'st\u001b[1;31m-\u001b[0m')],
    ['split by a colour that is written out', KEY.replace('st-', 'st\\u001b[1;31m-\\x1b[0m')],
    ['split by what is not seen', KEY.replace('st-', 's\u200bt\u00ad-')],
    ['in base64 for URLs', Buffer.from(KEY).toString('base64url')],
  ])('is masked %s', (_, form) => {
    expect(mask(`before ${form} after`, [KEY])).toMatch(/^before "?\[key\]\S{0,3} after$/);
  });

  it('is masked in base64 for URLs where that has other letters', () => {
    const key = 'hunter2>>>???~~~x';
    const encoded = Buffer.from(key).toString('base64url');
    expect(encoded).toMatch(/[-_]/);
    expect(mask(encoded, [key])).toMatch(/^\[key\]\S{0,3}$/);
  });

  it('is masked in base64 wherever it stands in what was encoded', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const encoded = Buffer.from(`${before}${KEY}${after}`).toString('base64');
        expect(mask(encoded, [KEY])).toContain('[key]');
      }),
    );
  });
});

it.each([
  ['by its form', `sk-proj-\u001b[31mhunter2xyz\u001b[0m`, {}],
  ['by its name', `api_key=\u001b[1mhun\u001b[0mter2x`, {}],
  ['by the environment', `so\u001b[1mme-hunter2x-wo\u200brds`, { MY_TOKEN: 'some-hunter2x-words' }],
])('is masked in a text that colours it in two parts, told %s', (_, text, env) => {
  const masked = maskText(`before ${text} after`, env);
  expect(masked).toContain('[key]');
  expect(masked).not.toContain('ter2x');
});

it('is looked for in steps in proportion to the text', () => {
  for (const run of ['\\', '%25', '&amp;', '\n', 'c', '\u001b[1m', '\u200b', '/\u200b'])
    expect(mask(run.repeat(300_000), [`/${KEY}`])).toHaveLength(run.length * 300_000);
});

describe('the words of a command', () => {
  const HEX = '9f8e7d6c5b4a39281706f5e4';
  it.each([
    [['run', '--api-key', 'hunter2'], {}],
    [['run', '--api-key=hunter2x'], {}],
    [['env', 'OPENAI_API_KEY=hunter2x', 'run'], {}],
    [['curl', '-H', 'Authorization: Bearer hunter2x'], {}],
    [['curl', '-H', 'x-api-key: hunter2x'], {}],
    [['curl', '-d', '{"api_key": "hunter2x"}'], {}],
    [['curl', '-u', 'me:hunter2x'], {}],
    [['run', '--password=a,b&hunter2x'], {}],
    [['run', 'eyJhbGciOiJIUzI1.eyJzdWIiOiIx_2.aa_bb-cc-hunter2x'], {}],
    [['curl', 'https://me:hunter2x@host/v1'], {}],
    [['curl', 'https://host/v1?a=b&key=hunter2x&c=d'], {}],
    [['run', 'sk-proj-hunter2xyz'], {}],
    [['run', HEX], {}],
    [['run', '123e4567-e89b-12d3-a456-426614174000'], {}],
    [['run', 'just-some-words'], { MY_TOKEN: 'just-some-words' }],
  ])('hide the key of %j', (words, env) => {
    const line = maskLine(words.join(' '), secretsIn(words, env));
    expect(line).toContain('[key]');
    for (const secret of ['hunter2', HEX, '426614174000', 'just-some-words'])
      expect(line).not.toContain(secret);
  });

  it.each([[['curl', '-u', 'me:hunter2x']], [['curl', 'https://me:hunter2x@host/v1']]])(
    'hide the password of %j where it is said without its user',
    (words) => {
      expect(mask('refused: hunter2x', secretsIn(words, {}))).toBe('refused: [key]');
    },
  );

  it('show everything else: a name of a model or of a file is no key', () => {
    const words = [
      'python3',
      'tools/extract_v2.py',
      '--model',
      'claude-sonnet-4-5-20250929',
      '--max-tokens',
      '4000',
      'skateboarding',
      'sk.wikipedia.org/wiki',
    ];
    expect(maskLine(words.join(' '), secretsIn(words, { HOME: '/home/ada' }))).toBe(words.join(' '));
  });

  it('show the working folder, which is no password', () => {
    const env = { PWD: '/home/ada/rivers', OLDPWD: '/home/ada/lakes', DB_PWD: 'correct-horse-9' };
    const text = 'cd /home/ada/rivers and /home/ada/lakes with correct-horse-9';
    expect(maskText(text, env)).toBe('cd /home/ada/rivers and /home/ada/lakes with [key]');
    expect(secretsIn(text.split(' '), env)).toEqual(['correct-horse-9']);
  });
});

describe('a text that consists of what looks like keys', () => {
  const hex = (i: number) =>
    `${i.toString(16).padStart(8, '0')}-aaaa-4bbb-8ccc-${i.toString(16).padStart(12, 'd')}`;

  it.each([
    ['many ids', Array.from({ length: 5000 }, (_, i) => hex(i)).join(' ')],
    ['one that never ends', 'a1B'.repeat(200_000)],
    ['names without a value', 'x'.repeat(500_000)],
    ['names with values without end', 'key='.repeat(100_000)],
  ])('does not hold up who masks it: %s', (_, text) => {
    expect(() => maskText(text, {})).not.toThrow();
  });

  it('is masked to the last one', () => {
    const masked = maskText(
      Array.from({ length: 200 }, (_, i) => `id ${hex(i)}, or token=${hex(i)}`).join('\n'),
      {},
    );
    expect(masked).not.toMatch(/aaaa-4bbb/);
    expect(masked.split('\n')).toHaveLength(200);
  });
});

it('masks a private key whose beginning was cut off, and leaves the words before it', () => {
  const end = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----';
  const masked = maskText(`It says: ${end} and no more`, {});
  expect(masked).toMatch(/^It says:\s*\[key\] and no more$/);
});
