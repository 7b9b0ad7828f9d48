import { z } from 'zod';

/** A next step: an operation with its arguments. `assay OPERATION POSITIONALS --OPTION VALUE` does it. */
export const action = z.object({
  operation: z.string().describe('The words that name it, e.g. `decomposition compare`'),
  positionals: z.array(z.string()),
  options: z
    .record(z.string(), z.union([z.string(), z.number(), z.literal(true)]))
    .describe('`true` is an option without a value'),
  into: z.string().optional().describe('The file that takes what is printed'),
});
