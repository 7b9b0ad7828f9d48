import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends every run with the names of what failed, why anything was skipped, and `N passed, N failed, N skipped`. A file
 * that fails before its tests can run counts as one failure, as does an error outside of any test; a run that tested
 * nothing or did not reach its end is not a success.
 */
export default class ClosingLine implements Reporter {
  readonly #count = { passed: 0, skipped: 0 };
  #failed: string[] = ['the run did not reach its end'];
  readonly #skipped = new Map<string, number>();

  onInit(): void {
    // Printed on exit, so that it follows everything the other reporters say.
    process.once('exit', (code) => {
      const failed = this.#failed;
      if (code !== 0 && failed.length === 0) failed.push('something outside of the tests (see above)');
      for (const [where, times] of this.#skipped) process.stdout.write(`SKIPPED ${times} of ${where}\n`);
      if (failed.length > 0)
        process.stdout.write(`Repeat what is random with ASSAY_SEED=${process.env.ASSAY_SEED}\n`);
      for (const name of failed) process.stdout.write(`FAILED ${name}\n`);
      const { passed, skipped } = this.#count;
      process.stdout.write(`${passed} passed, ${failed.length} failed, ${skipped} skipped\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    this.#failed = unhandled.map((error) => `outside of any test: ${firstLine(error)}`);
    for (const module of modules) this.#add(module);
    if (this.#count.passed + this.#failed.length === 0) this.#failed.push('nothing was tested');
    if (this.#failed.length > 0) process.exitCode = 1;
  }

  #add(module: TestModule): void {
    const failedBefore = this.#failed.length;
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === 'passed') this.#count.passed++;
      else if (result.state === 'failed') this.#failed.push(`${module.relativeModuleId} > ${test.fullName}`);
      else this.#skip(module, result.state === 'skipped' ? result.note : undefined);
    }
    if (!module.ok() && this.#failed.length === failedBefore) {
      this.#failed.push(`${module.relativeModuleId}: ${firstLine(module.errors()[0])}`);
    }
  }

  #skip(module: TestModule, why: string | undefined): void {
    const where = `${module.relativeModuleId}${why === undefined ? '' : `: ${why}`}`;
    this.#count.skipped++;
    this.#skipped.set(where, (this.#skipped.get(where) ?? 0) + 1);
  }
}

function firstLine(error: unknown): string {
  const { message = String(error) } = (error ?? {}) as { message?: string };
  return (message.split('\n', 1)[0] ?? '').slice(0, 200);
}
