/** What the server sends about reviews, as the schemas of `src/api` say it. */
import type { z } from 'zod';
import type {
  blindCheck,
  blindDesk,
  blindStatus,
  blindSubmitted,
} from '../../../../src/api/schema/workflow/blind.ts';
import type { workflowComparison } from '../../../../src/api/schema/workflow/comparison.ts';
import type { workflowEvaluations } from '../../../../src/api/schema/workflow/evaluations.ts';
import type { categories } from '../../../../src/api/schema/workflow/heatmap.ts';
import type { workflowHistory } from '../../../../src/api/schema/workflow/history.ts';
import type { workflowLeaderboard } from '../../../../src/api/schema/workflow/leaderboard.ts';
import type { workflowReport } from '../../../../src/api/schema/workflow/report.ts';

export type Evaluations = z.infer<typeof workflowEvaluations>;
export type FoundExperiment = Evaluations['experiments'][number];
export type FoundBlind = Evaluations['blind'][number];
export type Report = z.infer<typeof workflowReport>;
export type ExperimentRow = Report['experiments'][number];
export type ErrorRow = Report['errors'][number];
export type Heatmap = z.infer<typeof categories>;
export type HeatmapCell = Heatmap['workflows'][number]['cells'][number];
export type Leaderboard = z.infer<typeof workflowLeaderboard>;
export type Comparison = z.infer<typeof workflowComparison>;
export type History = z.infer<typeof workflowHistory>;
export type Status = z.infer<typeof blindStatus>;
export type Desk = z.infer<typeof blindDesk>;
export type Submitted = z.infer<typeof blindSubmitted>;
export type Check = z.infer<typeof blindCheck>;
export type Finding = NonNullable<Desk['findings']>[number];
export type KnownError = NonNullable<Desk['errors']>[number];
export type ToMatch = NonNullable<Desk['matches']>['findings'][number];
