/** What the server sends about decomposition, as the schemas of `src/api` say it. */
import type { z } from 'zod';
import type {
  decompositionCaseStory,
  decompositionRun,
  runList,
} from '../../../../src/api/schema/decomposition.ts';

import type { goldenEdit, goldenList, goldenSaved } from '../../../../src/api/schema/golden.ts';

export type GoldenList = z.infer<typeof goldenList>;
export type GoldenEdit = z.infer<typeof goldenEdit>;
export type GoldenSaved = z.infer<typeof goldenSaved>;
export type SuiteRun = z.infer<typeof decompositionRun>;
export type RunList = z.infer<typeof runList>;
export type ListedRun = RunList['items'][number];
export type CaseStory = z.infer<typeof decompositionCaseStory>;
export type Trial = CaseStory['trials'][number];
export type Concept = Trial['concepts'][number];
export type Edge = Trial['relationships'][number];
