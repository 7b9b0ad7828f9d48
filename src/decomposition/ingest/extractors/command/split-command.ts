import { AssayError } from '../../../../errors.ts';

/**
 * A command line as its words, without a shell: quotes group, a backslash keeps the next character (inside single
 * quotes nothing is special), and variables, globs, pipes and redirections are plain text.
 */
export function splitCommand(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === '\\' && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word = (word ?? '') + line.charAt(at);
    } else if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== undefined) throw new AssayError('USAGE', `the command has an open ${quote}`);
  if (word !== undefined) words.push(word);
  if (words[0] === undefined || words[0] === '') throw new AssayError('USAGE', 'the command is empty');
  return words;
}
