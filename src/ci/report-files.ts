/** Remarks as the files that GitHub code scanning and GitLab Code Quality read. */
import { createHash } from 'node:crypto';
import { plain } from '../report/unsafe-text.ts';
import type { CaseRemark } from './remarks.ts';

const TITLES: Readonly<Record<CaseRemark['rule'], string>> = {
  'missed-error': 'Most runs of a review missed an error of the ground truth',
  'missed-concept': 'An expected concept was not extracted',
  'forbidden-concept': 'A forbidden concept was extracted',
  'unexpected-concept': 'Concepts were extracted that nobody expected',
  'case-error': 'A case gave nothing to measure',
  'case-failed': 'A case is in the fail zone',
};

/** GitHub shows 5,000 results of a run. */
const MOST = 5_000;

/** The same fault has the same one in every run, so that it is not told anew. */
function fingerprint({ rule, path, message }: CaseRemark): string {
  return createHash('sha256')
    .update(JSON.stringify([rule, path, message]))
    .digest('hex');
}

export function sarifOf(remarks: readonly CaseRemark[], version: string): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Assay',
            version,
            rules: Object.entries(TITLES).map(([id, text]) => ({ id, shortDescription: { text } })),
          },
        },
        results: remarks.slice(0, MOST).map((remark) => ({
          ruleId: remark.rule,
          level: remark.level,
          message: { text: plain(remark.message) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(remark.path) },
                region: { startLine: remark.line },
              },
            },
          ],
          partialFingerprints: { 'assay/v1': fingerprint(remark) },
        })),
      },
    ],
  };
}

export function codeQualityOf(remarks: readonly CaseRemark[]): object[] {
  return remarks.map((remark) => ({
    type: 'issue',
    check_name: remark.rule,
    description: plain(remark.message),
    severity: remark.level === 'error' ? 'major' : 'minor',
    fingerprint: fingerprint(remark),
    location: { path: remark.path, lines: { begin: remark.line } },
  }));
}

function uriOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
