import { expect, it } from 'vitest';
import { command as newPrompt } from './decomposition/prompt-new.ts';
import { command as exporting } from './export.ts';
import { parseArguments } from './parse-arguments.ts';

it('refuses an empty path of a folder, which would mean the current one', () => {
  expect(() => parseArguments(exporting, [''])).toThrow(
    /assay export: an empty word was given for \[FOLDER\]/,
  );
  expect(() => parseArguments(newPrompt, ['a', '--prompts', ''])).toThrow(
    /--prompts needs the path of a folder/,
  );
  expect(parseArguments(exporting, ['.']).positionals).toEqual(['.']);
});
