import type { z } from 'zod';
import type { initResult } from '../schema/init.ts';

type Written = {
  readonly measured: 'decomposition' | 'workflow' | 'sessions';
  readonly written: readonly string[];
  readonly kept: readonly string[];
  readonly draft?: { readonly golden: { readonly id: string } };
  readonly truth?: { readonly truth: { readonly task: string } };
};

export function encodeInit({ measured, written, kept, draft, truth }: Written): z.infer<typeof initResult> {
  return {
    format: 'assay-init',
    version: 1,
    measured,
    written: [...written],
    kept: [...kept],
    draft: draft?.golden.id ?? truth?.truth.task ?? null,
  };
}
