import type { z } from 'zod';
import type { RankedReviews } from '../../../workflow/documents/leaderboard.ts';
import type { Mapping } from '../../../workflow/ingest/mapping.ts';
import type { workflowLeaderboard } from '../../schema/workflow/leaderboard.ts';
import { encodeMeasurement } from '../measurement.ts';

export function encodeLeaderboard({
  name,
  leaderboard,
  counted,
  mappings,
  notes,
}: RankedReviews & { readonly mappings: readonly Mapping[] }): z.infer<typeof workflowLeaderboard> {
  const { tasks, rows, pairs, incomplete } = leaderboard;
  return {
    format: 'assay-workflow-leaderboard',
    version: 1,
    name,
    identity: counted ? 'counts only' : 'findings',
    intervals: '95% over tasks: choice of tasks and run noise',
    tasks: [...tasks],
    workflows: rows.map(({ dr, precision, f1, betterThan, worseThan, ...row }) => ({
      ...row,
      f1: encodeMeasurement(f1),
      dr: encodeMeasurement(dr),
      precision: encodeMeasurement(precision),
      better_than: betterThan,
      worse_than: worseThan,
    })),
    pairs: pairs.map((pair) => ({ ...pair })),
    incomplete: incomplete.map((one) => ({ ...one })),
    mappings: [...mappings],
    notes: [...notes],
  };
}
