/** The parts of the template that follow from findings: what failed, why, and what to change. */
import { countByKind, type Findings } from './findings.ts';
import { amount, nameSome, suggestion, tally } from './label-words.ts';
import { sayNarrow, type Traits, traitsOf } from './precision.ts';

export type Conclusions = {
  readonly symptoms: readonly string[];
  readonly rootCause: readonly string[];
  readonly proposedFix: readonly string[];
};

export function conclusionsOn(findings: Findings): Conclusions {
  const traits = traitsOf(findings);
  return {
    symptoms: symptoms(findings, traits),
    rootCause: [
      ...recallCause(findings, traits),
      ...precisionCause(findings, traits),
      ...relationshipCause(findings, traits),
      ...quoteCause(findings, traits),
      ...goldenCause(findings),
    ],
    proposedFix: fixes(findings, traits),
  };
}

function symptoms({ totals, runs, duplicates }: Findings, traits: Traits): string[] {
  const over = runs > 1 ? ` over ${runs} runs` : '';
  const again = duplicates.reduce((sum, { count }) => sum + count, 0);
  return [
    `${traits.missed} of ${amount(totals.expected, 'expected concept')} missed${over}.`,
    `${traits.extra} of ${amount(totals.extracted, 'extracted concept')} not expected${traits.canaries > 0 ? `, ${amount(traits.canaries, 'canary', 'canaries')} among them` : ''}.`,
    ...(again > 0 ? [`${amount(again, 'concept says', 'concepts say')} again what another one says.`] : []),
    `${traits.wrong} of ${amount(totals.extractedRelationships, 'extracted relationship')} wrong, ${traits.missedRelationships} of ${totals.expectedRelationships} expected ones missed.`,
    `${traits.noQuote} of ${amount(totals.extracted, 'concept')} without a quote, ${traits.badQuote} with one that is not verified.`,
  ];
}

function recallCause(findings: Findings, traits: Traits): string[] {
  const { missed, nearMissed } = traits;
  if (missed === 0) return [];
  const near = nearMissed === 0 ? '' : ` For ${nearMissed} something close was extracted.`;
  return [
    `Recall: missed concepts by what the text says: ${tally(countByKind(findings.missed))}.${near}`,
    suggestion(`${sayNarrow(traits)}.`),
  ];
}

function precisionCause(findings: Findings, { extra, canaries, invented, nearMisses }: Traits): string[] {
  if (extra === 0) return [];
  const made = canaries + invented;
  return [
    `Precision: unexpected concepts: ${tally(countByKind(findings.extras))}.`,
    ...(2 * made > extra
      ? [
          suggestion(
            `${made} of ${extra} are not in the text: the model may draw on what it knows instead of the text.`,
          ),
        ]
      : 2 * nearMisses > extra
        ? [
            suggestion(
              `${nearMisses} of ${extra} are close to an expected concept: it may be found and only named otherwise.`,
            ),
          ]
        : []),
  ];
}

function relationshipCause({ relationships }: Findings, traits: Traits): string[] {
  const { wrong, unmatchedEnd, confused, missedRelationships } = traits;
  return [
    ...(wrong > 0 ? [`Relationships: wrong ones: ${tally(countByKind(relationships.wrong))}.`] : []),
    ...(missedRelationships > 0
      ? [`Relationships: missed ones: ${tally(countByKind(relationships.missed))}.`]
      : []),
    ...(wrong > 0 && 2 * unmatchedEnd > wrong
      ? [
          suggestion(
            `${unmatchedEnd} of ${wrong} wrong ones follow from concepts: an end is no expected concept.`,
          ),
        ]
      : []),
    ...(confused === undefined
      ? []
      : [
          suggestion(
            `${confused.expected} is extracted as ${confused.extracted} ${amount(confused.count, 'time')}: the two may not be told apart clearly enough.`,
          ),
        ]),
  ];
}

function quoteCause({ quotes }: Findings, { noQuote, badQuote }: Traits): string[] {
  return noQuote + badQuote === 0
    ? []
    : [`Provenance: quotes that are not verified: ${tally(countByKind(quotes))}.`];
}

function goldenCause({ suspicions }: Findings): string[] {
  return suspicions.length === 0
    ? []
    : [
        suggestion(
          `the golden case itself may be at fault in ${amount(suspicions.length, 'place')}: ${tally(countByKind(suspicions))}.`,
        ),
      ];
}

type Rule = readonly [
  when: (traits: Traits, findings: Findings) => boolean,
  fix: (findings: Findings, traits: Traits) => string,
];

const FIXES: readonly Rule[] = [
  [
    ({ stated, missed }) => stated > 0 && 2 * stated > missed,
    ({ missed }) =>
      `say in the prompt that concepts like these count, or add an example that extracts them: ${nameSome(
        missed.filter(({ kind }) => kind.startsWith('stated')).map(({ label }) => label),
      )}.`,
  ],
  [
    ({ implied, missed }) => implied > 0 && 2 * implied > missed,
    ({ missed }) =>
      `ask for concepts that the text implies, or make these optional in the golden case: ${nameSome(
        missed.filter(({ kind }) => kind === 'implied').map(({ label }) => label),
      )}.`,
  ],
  [
    ({ nearMisses }) => nearMisses > 0,
    ({ extras }) =>
      `ask for the name that the text uses, in full; now: ${nameSome(
        extras.flatMap(({ label, near }) => (near === undefined ? [] : [`${label} for ${near.expected}`])),
        3,
      )}.`,
  ],
  [
    ({ canaries, invented }) => canaries + invented > 0,
    () =>
      'demand that every concept stands in the text, and drop a concept for which no passage can be quoted.',
  ],
  [
    ({ inText, plausible, extra }) => 2 * (inText + plausible) > extra && extra > 0,
    ({ extras }) =>
      `say more narrowly which concepts count, so that these are left out: ${nameSome(
        extras.filter(({ kind }) => kind === 'in the text' || kind === 'implied').map(({ label }) => label),
      )}.`,
  ],
  [
    ({ confused }) => confused !== undefined,
    (_, { confused }) =>
      `define ${confused?.expected} against ${confused?.extracted} in the prompt, with one example of each.`,
  ],
  [
    ({ reversed }) => reversed > 0,
    () => 'say in the prompt which end of each predicate is the source, with an example.',
  ],
  [({ noQuote }) => noQuote > 0, () => 'require a quote for every concept.'],
  [
    ({ badQuote }) => badQuote > 0,
    () => 'require quotes copied word for word, of at least 12 characters, without omissions.',
  ],
  [
    (_, { suspicions }) => suspicions.length > 0,
    ({ suspicions }) =>
      `check the golden case first: ${nameSome(suspicions.map(({ kind, label }) => `${label} (${kind})`))}.`,
  ],
];

function fixes(findings: Findings, traits: Traits): string[] {
  return FIXES.filter(([when]) => when(traits, findings)).map(([, fix]) => suggestion(fix(findings, traits)));
}
