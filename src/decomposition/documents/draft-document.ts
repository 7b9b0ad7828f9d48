import type { Document } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import type { GoldenDraft } from '../golden/golden-draft.ts';

/** What was proposed, and what is left to a person. */
export function draftDocument({ path, folder, golden, findings, domainGiven }: GoldenDraft): Document {
  const parts = [
    formatAmount(golden.expectedConcepts.length, 'concept'),
    formatAmount(golden.expectedRelationships.length, 'relationship'),
    formatAmount(golden.forbiddenConcepts.length, 'canary', 'canaries'),
    formatAmount(golden.forbiddenRelationships.length, 'forbidden relationship'),
  ];
  return {
    title: `Draft of ${golden.id}`,
    answer: `${path} is a draft with ${parts.join(', ')}. Correct it, then delete its "draft" line: no gate passes on a draft.`,
    blocks:
      findings.length === 0
        ? []
        : [
            {
              kind: 'list',
              title: 'What lint still asks for',
              items: findings.map(({ place, message, rule }) => `${place} ${message} [${rule}]`),
            },
          ],
    notes: [
      'Concepts and relationships are what the local extractor found, and pairs of one sentence; it misses half of the relationships and gets some wrong. Canaries are put together from words of the text.',
      ...(domainGiven ? [] : [`Its domain is set to ${golden.domain}; change it if it is another.`]),
    ],
    next: [
      { operation: 'decomposition lint', positionals: folder === 'golden' ? [] : [folder] },
      { operation: 'decomposition run', options: { golden: folder === 'golden' ? undefined : folder } },
    ],
  };
}
