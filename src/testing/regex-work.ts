/**
 * How much text regular expressions are given while something is done: the calls, and the longest text of one. A text
 * made to slow a pattern down is harmless where the pattern sees a bounded part of it a bounded number of times.
 */
export function regexWork(work: () => void): { readonly calls: number; readonly longest: number } {
  const { exec } = RegExp.prototype;
  let calls = 0;
  let longest = 0;
  // Also `test`, `replace`, `match` and `split` go through `exec` once it is not the built-in one.
  RegExp.prototype.exec = function counted(this: RegExp, text: string) {
    calls += 1;
    longest = Math.max(longest, text.length);
    return exec.call(this, text);
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return { calls, longest };
}
