import { z } from 'zod';
import { blindStatus } from './blind.ts';

const path = z.string().describe('From the folder that was searched');
const fault = z.string().nullable().describe('Why it cannot be read');

/** Experiments and blind evaluations below a folder. */
export const workflowEvaluations = z.object({
  format: z.literal('assay-workflow-evaluations'),
  version: z.literal(1),
  experiments: z.array(
    z.object({
      path,
      name: z.string().nullable(),
      arms: z.array(
        z.object({
          workflow: z.string(),
          task: z.string(),
          truth: path,
          documents: path.nullable(),
          runs: z.array(path),
        }),
      ),
      sealed_by: path
        .nullable()
        .describe('The blind evaluation that keeps its ground truth from being shown, until it is opened'),
      fault,
    }),
  ),
  blind: z.array(z.object({ path, status: blindStatus.nullable(), fault })),
  partial: z.boolean().describe('The folder has more below it than was looked at'),
});
