/** `assay/jest`: `import 'assay/jest'` in a file of tests, or as one of `setupFilesAfterEnv`. */
import { type AssayMatchers, matchers } from '../matchers/matchers.ts';

declare global {
  namespace jest {
    interface Matchers<R> extends AssayMatchers {}
  }
}

type Runner = { readonly extend: (added: typeof matchers) => void };

/** Where tests import `expect` of @jest/globals themselves, `expect.extend(matchers)` does the same. */
(globalThis as { expect?: Runner }).expect?.extend(matchers);

export { matchers };
