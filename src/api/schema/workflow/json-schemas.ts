import { z } from 'zod';
import {
  blindCheck,
  blindErrors,
  blindFindings,
  blindMatches,
  blindStatus,
  blindVerification,
} from './blind.ts';
import { workflowComparison } from './comparison.ts';
import { workflowHeatmap } from './heatmap.ts';
import { workflowHistory } from './history.ts';
import { workflowLeaderboard } from './leaderboard.ts';
import { workflowLint } from './lint.ts';
import { workflowReport } from './report.ts';
import { scoredReviews, scoreRow } from './score.ts';

/** What each command prints as JSON: file name → title and schema. */
const PRINTED: Readonly<Record<string, readonly [title: string, schema: z.ZodType]>> = {
  'workflow-score-output': ['assay workflow score --format json', scoredReviews],
  'workflow-score-row': ['A line of assay workflow score --format jsonl', scoreRow],
  'workflow-compare-output': ['assay workflow compare --format json', workflowComparison],
  'workflow-report-output': ['assay workflow report --format json', workflowReport],
  'workflow-heatmap-output': ['assay workflow heatmap --format json', workflowHeatmap],
  'workflow-history-output': ['assay workflow history --format json', workflowHistory],
  'workflow-leaderboard-output': ['assay workflow leaderboard --format json', workflowLeaderboard],
  'workflow-lint-output': ['assay workflow lint --format json', workflowLint],
  'workflow-blind-assess-output': ['assay workflow blind assess --list --format json', blindFindings],
  'workflow-blind-predict-output': ['assay workflow blind predict --list --format json', blindErrors],
  'workflow-blind-match-output': ['assay workflow blind match --list --format json', blindMatches],
  'workflow-blind-status-output': ['assay workflow blind status --format json', blindStatus],
  'workflow-blind-verify-output': ['assay workflow blind verify --format json', blindVerification],
  'workflow-blind-check-output': ['assay workflow blind check --format json', blindCheck],
};

/** The published JSON Schemas of what is printed. */
export function workflowWireSchemas(): ReadonlyMap<string, object> {
  return new Map(
    Object.entries(PRINTED).map(([name, [title, schema]]) => {
      const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'output' });
      return [name, { $schema, title, ...rest }];
    }),
  );
}
