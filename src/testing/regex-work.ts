import v8 from 'node:v8';

/**
 * The regular expressions that run during `work`: their calls, the longest text, and those that took many more steps
 * than their text has characters. An expression is harmless where it sees a bounded part of a hostile text a bounded
 * number of times, or takes few steps.
 */
export function regexWork(work: () => void): {
  readonly calls: number;
  readonly longest: number;
  readonly slow: readonly string[];
} {
  const { exec } = RegExp.prototype;
  let calls = 0;
  let longest = 0;
  const slow = new Set<string>();
  // Also `test`, `replace`, `match` and `split` go through `exec` once it is not the built-in one.
  RegExp.prototype.exec = function counted(this: RegExp, text: string) {
    calls += 1;
    longest = Math.max(longest, text.length);
    RegExp.prototype.exec = exec;
    const steps = STEPS_PER_CHARACTER * (text.length + 100);
    const isQuick = within(steps, this.source, this.flags)(text, this.lastIndex);
    RegExp.prototype.exec = counted;
    if (isQuick) return exec.call(this, text);
    // It might take hours: the test is to fail, not to hang.
    slow.add(this.source);
    return null;
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return { calls, longest, slow: [...slow] };
}

/** As many as an expression takes that looks at some hundred characters from each of its starts. */
const STEPS_PER_CHARACTER = 400;

/** Whether a regular expression takes at most so many steps on a text; of a global one all matches are looked for. */
export function takesAtMost(steps: number, { source, flags }: RegExp): (text: string) => boolean {
  const every = flags.includes('g') ? `(?:(?:${source})|[^])*` : source;
  return within(steps, every, flags.replaceAll(/[gy]/g, ''));
}

// V8 counts the steps back that an expression takes, and gives up at a limit: the same count on every machine. The limit
// is set by the syntax of V8's own tests, and has to be a small integer in memory, too.
v8.setFlagsFromString('--allow-natives-syntax');
const withLimit = new Function(
  'source',
  'flags',
  'steps',
  'return %NewRegExpWithBacktrackLimit(source, flags, Math.min(steps, 2 ** 30) | 0)',
) as (source: string, flags: string, steps: number) => RegExp;

function within(steps: number, source: string, flags: string): (text: string, from?: number) => boolean {
  // Matches at the end where the expression does not match, so that only one at its limit finds nothing.
  const form = withLimit(`(?:${source})|${flags.includes('y') ? '' : '(?![^])'}`, flags, steps);
  return (text, from = 0) => {
    // An optimized expression does not count all steps, and a process with much code no longer optimizes.
    v8.setFlagsFromString('--no-regexp-optimization');
    form.lastIndex = from;
    const found = form.test(text);
    v8.setFlagsFromString('--regexp-optimization');
    return found;
  };
}
