/** Which format a file is in, judged by its content alone. The more a format asks of a file, the earlier it is asked. */

import { claudeCode } from './claude-code/adapter.ts';
import { skipsAtOnce, trimClaudeCodeLine } from './claude-code/trim.ts';
import { codex } from './codex/adapter.ts';
import type { Format, Sample } from './format.ts';
import { FORMATS_C } from './formats-c.ts';
import { gemini } from './gemini/adapter.ts';
import { openclaw } from './openclaw/adapter.ts';
import { pi } from './pi/adapter.ts';

/** A format whose state only the format itself looks into. */
export type AnyFormat = Format<unknown>;

function any<State>(format: Format<State>): AnyFormat {
  return format as unknown as AnyFormat;
}

/** Nine in ten transcripts are Claude Code's, and most of their bytes need not be parsed. */
const quickClaudeCode: typeof claudeCode = {
  ...claudeCode,
  skipBytes: skipsAtOnce,
  trimBytes: trimClaudeCodeLine,
};

export const FORMATS: readonly AnyFormat[] = [
  any(quickClaudeCode),
  any(codex),
  any(openclaw),
  any(pi),
  any(gemini),
  ...(FORMATS_C as readonly unknown[] as readonly AnyFormat[]),
];

export function detectFormat(sample: Sample, formats: readonly AnyFormat[] = FORMATS): AnyFormat | undefined {
  return formats.find((format) => {
    try {
      return format.detect(sample);
    } catch {
      return false;
    }
  });
}

export function formatNamed(name: string, formats: readonly AnyFormat[] = FORMATS): AnyFormat | undefined {
  return formats.find((format) => format.name === name);
}
