import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends every run with `N passed, N failed, N skipped`. A file that fails before its tests can run counts as one
 * failure, and a run in which nothing was tested is not a success.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state } = test.result();
        count[state === 'pending' ? 'skipped' : state]++;
      }
      if (!module.ok() && !tests.some((test) => test.result().state === 'failed')) count.failed++;
    }
    if (count.passed + count.failed === 0) process.exitCode = 1;
    // Printed on exit, so that it follows everything the other reporters say.
    process.once('exit', () => {
      process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
    });
  }
}
