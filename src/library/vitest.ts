/** `assay/vitest`: `import 'assay/vitest'` in a file of tests, or as one of `setupFiles`. */
import { expect } from 'vitest';
import { type AssayMatchers, matchers } from '../matchers/matchers.ts';

declare module 'vitest' {
  // Both parameters as Vitest declares them: interfaces are one only where these are the same.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends AssayMatchers {}
}

expect.extend(matchers);

export { matchers };
