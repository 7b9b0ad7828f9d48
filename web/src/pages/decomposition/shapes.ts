/** What the server sends about decomposition, as the schemas of `src/api` say it. */
import type { z } from 'zod';
import type {
  approvalList,
  decompositionCaseStory,
  decompositionRun,
  decompositionTrend,
  runList,
} from '../../../../src/api/schema/decomposition.ts';
import type { judgedMeasurement } from '../../../../src/api/schema/parts.ts';
import type { promptDecisions, promptList } from '../../../../src/api/schema/prompts.ts';
import type { comparison } from '../../../../src/api/schema/run.ts';

export type Judged = z.infer<typeof judgedMeasurement>;
export type SuiteRun = z.infer<typeof decompositionRun>;
export type SuiteCase = SuiteRun['cases'][number];
export type RunList = z.infer<typeof runList>;
export type ListedRun = RunList['items'][number];
export type Compared = z.infer<typeof comparison>;
export type Change = Compared['metrics'][string];
export type Trend = z.infer<typeof decompositionTrend>;
export type CaseStory = z.infer<typeof decompositionCaseStory>;
export type Trial = CaseStory['trials'][number];
export type Concept = Trial['concepts'][number];
export type Edge = Trial['relationships'][number];
export type Prompts = z.infer<typeof promptList>;
export type Decisions = z.infer<typeof promptDecisions>;
export type Approvals = z.infer<typeof approvalList>;
