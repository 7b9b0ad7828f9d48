/** What the server sends about reviews, as the schemas of `src/api` say it. */
import type { z } from 'zod';
import type {
  blindDesk,
  blindSubmitted,
  workflowEvaluations,
} from '../../../../src/api/schema/workflow-blind.ts';

export type Evaluations = z.infer<typeof workflowEvaluations>;
export type Desk = z.infer<typeof blindDesk>;
export type Submitted = z.infer<typeof blindSubmitted>;
export type Finding = NonNullable<Desk['findings']>[number];
export type KnownError = NonNullable<Desk['errors']>[number];
export type ToMatch = NonNullable<Desk['matches']>['findings'][number];
