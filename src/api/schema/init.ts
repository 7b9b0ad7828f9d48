import { z } from 'zod';
import { from } from '../wire.ts';
import { head } from './parts.ts';

type Drafted = {
  readonly draft?: { readonly golden: { readonly id: string } };
  readonly truth?: { readonly truth: { readonly task: string } };
};

/** What a new project was given. */
export const initResult = z.object({
  ...head('assay-init'),
  measured: z.enum(['decomposition', 'workflow', 'sessions']),
  written: z.array(z.string()),
  existing: z.array(z.string()).describe('There already, and left as they are'),
  draft: from(
    ({ draft, truth }: Drafted) => draft?.golden.id ?? truth?.truth.task,
    z.string().nullable().describe('The golden case or ground truth that waits to be corrected'),
  ),
});
