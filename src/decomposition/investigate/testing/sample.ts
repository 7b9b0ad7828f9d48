import type { MatchLevel } from '../../evidence.ts';
import { examineTrials } from '../../ingest/collect-cases.ts';
import { type GoldenCase, goldenCaseSchema } from '../../ingest/golden-case.ts';
import { type ExtractionOutput, parseOutput } from '../../ingest/output.ts';
import { type Findings, findingsOn } from '../findings.ts';

export const TEXT =
  'A tidal marsh is a coastal wetland. Salt-tolerant grasses slow the water, and slow water causes sediment trapping. ' +
  'Sediment trapping raises the marsh. Sea-level rise (SLR) drowns a marsh that has no sediment supply. ' +
  'Restoration of a marsh requires tidal flow.';

/** Small enough to be read: five concepts, four relationships, every one in the text but `managed retreat`. */
export function goldenWith(changes: Partial<Record<keyof GoldenCase, unknown>> = {}): GoldenCase {
  return goldenCaseSchema.parse({
    id: 'marsh',
    topic: 'Tidal marshes',
    domain: 'ecological',
    version: '1.0',
    created: '2026-01-29',
    sourceText: TEXT,
    expectedConcepts: [
      { label: 'tidal marsh', aliases: ['salt marsh'] },
      { label: 'coastal wetland' },
      { label: 'halophytes', aliases: ['salt-tolerant grasses'] },
      { label: 'sediment trapping' },
      { label: 'marsh restoration', required: false },
    ],
    expectedRelationships: [
      { source: 'tidal marsh', target: 'coastal wetland', predicate: 'IS_A' },
      { source: 'halophytes', target: 'sediment trapping', predicate: 'CAUSES' },
      { source: 'sediment trapping', target: 'tidal marsh', predicate: 'RELATES_TO' },
      { source: 'marsh restoration', target: 'tidal marsh', predicate: 'REQUIRES', required: false },
    ],
    forbiddenConcepts: ['salinity memory'],
    forbiddenRelationships: [{ source: 'coastal wetland', target: 'halophytes', predicate: 'CAUSES' }],
    ...changes,
  });
}

type Concept =
  | string
  | { readonly label: string; readonly aliases?: string[]; readonly sourceQuote?: string };

/** Edges as `source PREDICATE target`, with hyphens for blanks in the ends. */
export function outputOf(concepts: readonly Concept[], edges: readonly string[] = []): ExtractionOutput {
  return parseOutput(
    {
      concepts: concepts.map((one) => (typeof one === 'string' ? { label: one } : one)),
      relationships: edges.map((edge) => {
        const [source = '', predicate, target = ''] = edge.split(' ');
        return { source: source.replaceAll('-', ' '), predicate, target: target.replaceAll('-', ' ') };
      }),
    },
    'sample',
  );
}

export async function findingsFor(
  outputs: readonly ExtractionOutput[],
  golden: GoldenCase = goldenWith(),
  level: MatchLevel = 'alias',
): Promise<Findings> {
  const examined = await examineTrials(golden, outputs);
  if ('error' in examined) throw new Error(examined.error);
  return findingsOn(golden, examined.evidence, outputs, level);
}
