import { z } from 'zod';
import { alert } from './schema/alert.ts';
import { calibration } from './schema/calibration.ts';
import { digest } from './schema/digest.ts';
import { explanation } from './schema/explanation.ts';
import { frontier } from './schema/frontier.ts';
import { rating } from './schema/rating.ts';
import {
  baselineRow,
  fittedRow,
  lowSession,
  outcomeRow,
  roiRow,
  skippedRow,
  sourceRow,
} from './schema/session-lists.ts';
import { sessionRow } from './schema/session-row.ts';
import { validation } from './schema/validation.ts';

/** What leaves the product about sessions: name of the page → its title and schema. */
const WIRE: Readonly<Record<string, readonly [title: string, schema: z.ZodType]>> = {
  'session-row': ['A row of `assay sessions score`', sessionRow],
  'session-explanation': ['What `assay sessions explain` prints', explanation],
  'session-digest': ['What `assay sessions digest` prints', digest],
  'session-frontier': ['What `assay sessions frontier` prints', frontier],
  'session-validation': ['What `assay sessions validate` prints', validation],
  'session-calibration': ['What `assay sessions calibrate` prints', calibration],
  'session-flag': ['A row of `assay sessions flags`', lowSession],
  'session-roi': ['A row of `assay sessions roi`', roiRow],
  'session-outcome': ['A row of `assay sessions outcomes`', outcomeRow],
  'session-source': ['A row of `assay sessions sources`', sourceRow],
  'session-skipped': ['A row of `assay sessions skipped`', skippedRow],
  'session-baseline': ['A row of `assay sessions baselines show`', baselineRow],
  'session-baseline-fit': ['A row of `assay sessions baselines fit`', fittedRow],
  rating: ['What somebody said of a session, a case or an output', rating],
  alert: ['Something that deserves attention', alert],
};

/** The published JSON Schemas: file name → schema. */
export function sessionJsonSchemas(): ReadonlyMap<string, object> {
  return new Map(
    Object.entries(WIRE).map(([name, [title, schema]]) => {
      const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'output' });
      return [name, { $schema, title, ...rest }];
    }),
  );
}
