import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { readJson } from '../../files.ts';
import { sayIssue } from '../../say-issue.ts';
import type { Vocabulary } from '../golden-rules.ts';
import { type GoldenCase, goldenNames, goldenSchemaWith } from '../ingest/golden-case.ts';
import type { SuiteFinding } from './lint-suite.ts';

export type ReadForLint = {
  readonly cases: readonly { readonly file: string; readonly golden: GoldenCase }[];
  /** Files that are no golden cases at all, with every place that breaks the schema. */
  readonly findings: readonly SuiteFinding[];
};

/** All golden cases of a folder; one that breaks the schema is a finding, not the end. */
export function readForLint(folder: string, vocabulary: Vocabulary): ReadForLint {
  const schema = goldenSchemaWith(vocabulary);
  const cases: { file: string; golden: GoldenCase }[] = [];
  const findings: SuiteFinding[] = [];
  for (const file of goldenNames(folder)) {
    try {
      const parsed = schema.safeParse(readJson(join(folder, file)), { error: sayIssue });
      if (parsed.success) cases.push({ file, golden: parsed.data });
      else {
        findings.push(
          ...parsed.error.issues.map((issue) => ({
            file,
            rule: 'schema (Appendix B)',
            place: issue.path.map(String).join('.') || 'the whole file',
            message: issue.message,
          })),
        );
      }
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      findings.push({ file, rule: 'schema (Appendix B)', place: 'the whole file', message: error.message });
    }
  }
  return { cases, findings };
}
