/** The lines that every page of help is made of. */
import type { Options } from './command.ts';

const WIDTH = 26;
/** Longer lines are hard to read, however wide the screen is. */
export const PAGE = 100;

export function row(left: string, right: string, page = PAGE): string {
  const [first = '', ...more] = wrap(right, page - WIDTH - 2);
  const below = more.map((line) => `\n  ${' '.repeat(WIDTH)}${line}`).join('');
  return left.length < WIDTH
    ? `  ${left.padEnd(WIDTH)}${first}${below}`
    : `  ${left}\n  ${' '.repeat(WIDTH)}${first}${below}`;
}

export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** A long command goes on as a shell reads it, so that it can be copied. */
export function exampleLines(example: string, page = PAGE): string {
  return wrap(example, page - 8)
    .map((line, i) => `${i === 0 ? '  ' : '    '}${line}`)
    .join(' \\\n');
}

export function optionRows(options: Options, page = PAGE): string[] {
  return Object.entries(options).map(([name, option]) => {
    const value = option.type === 'string' ? ` ${option.choices?.join('|') ?? option.value ?? 'VALUE'}` : '';
    const fallback = option.default === undefined ? '' : ` (default ${option.default})`;
    return row(`--${name}${value}`, `${option.doc}${fallback}`, page);
  });
}
