import type { z } from 'zod';
import type { BlindProgress } from '../../../workflow/blind/progress.ts';
import type { workflowEvaluations } from '../../schema/workflow/evaluations.ts';
import { encodeBlindStatus } from './blind.ts';

type Wire = z.infer<typeof workflowEvaluations>;

type Arm = {
  readonly workflow: string;
  readonly task: string;
  readonly truth: string;
  readonly documents?: string;
  readonly runs: readonly string[];
};

type Found = {
  readonly experiments: readonly ({ readonly path: string } & (
    | { readonly name: string; readonly sealedBy?: string; readonly arms: readonly Arm[] }
    | { readonly fault: string }
  ))[];
  readonly blind: readonly ({ readonly path: string } & (
    | { readonly progress: BlindProgress }
    | { readonly fault: string }
  ))[];
  readonly partial: boolean;
};

export function encodeEvaluations({ experiments, blind, partial }: Found): Wire {
  return {
    format: 'assay-workflow-evaluations',
    version: 1,
    experiments: experiments.map((one) =>
      'fault' in one
        ? { path: one.path, name: null, arms: [], sealed_by: null, fault: one.fault }
        : {
            path: one.path,
            name: one.name,
            arms: one.arms.map(encodeArm),
            sealed_by: one.sealedBy ?? null,
            fault: null,
          },
    ),
    blind: blind.map((one) =>
      'fault' in one
        ? { path: one.path, status: null, fault: one.fault }
        : { path: one.path, status: encodeBlindStatus(one.progress), fault: null },
    ),
    partial,
  };
}

function encodeArm({ documents, runs, ...arm }: Arm): Wire['experiments'][number]['arms'][number] {
  return { ...arm, documents: documents ?? null, runs: [...runs] };
}
