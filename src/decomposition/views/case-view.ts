import { type ItemColumn, type TableBlock, tableOf, type View } from '../../report/view.ts';
import { zoneMark } from '../../report/zone-mark.ts';
import { graphEdges, missedConcepts } from '../case-lists.ts';
import type { ExtractedConcept, FieldEvidence, QuoteCheck, TrialEvidence } from '../evidence.ts';
import type { ReadCase } from '../suite-run.ts';

const LIMIT = 12;
/** The same limit as in a chart of them. */
const EDGE_LIMIT = 100;

/** One output of a case of a stored run: found, missed and unexpected concepts. */
export function caseView({ judged, evidence }: ReadCase, output = 0): View {
  const trial = evidence?.trials[output] ?? evidence?.trials[0];
  const zone = zoneMark(judged.zone).text;
  return {
    title: judged.id,
    answer:
      trial === undefined ? `${zone}. This run stored only the numbers.` : `${zone}: ${countsOf(trial)}`,
    blocks: [
      { kind: 'metrics', title: 'Metrics of this case', metrics: judged.metrics },
      ...(trial === undefined ? [] : tablesOf(trial)),
    ],
    notes: trial?.failed === undefined ? [] : [`✗ This output could not be measured: ${trial.failed}`],
    next: [],
  };
}

function countsOf(trial: TrialEvidence): string {
  const found = new Set(trial.concepts.flatMap(({ match }) => match?.expected ?? [])).size;
  const invented = trial.concepts.filter(({ match }) => match === undefined).length;
  const edges = graphEdges(trial).filter(({ state }) => state !== 'missing');
  const right = edges.filter(({ state }) => state === 'right').length;
  return `${found} of ${found + missedConcepts(trial.expected).length} expected concepts found, ${invented} not expected; ${right} of ${edges.length} relationships right.`;
}

const CONCEPT: ItemColumn<ExtractedConcept> = { key: 'label', title: 'concept', unit: 'name' };
/** The key under which a page finds the quote's offset. */
const QUOTE_FROM = 'quote_from';

function tablesOf(trial: TrialEvidence): TableBlock[] {
  const { concepts } = trial;
  const found = concepts.filter(({ match }) => match !== undefined);
  const invented = concepts.filter(({ match }) => match === undefined);
  return [
    ...(trial.fields === undefined ? [] : [fieldTable(trial.fields)]),
    withQuotes(tableOf('Found', found, [CONCEPT, { key: 'how', of: sayFound }], { limit: LIMIT }), found),
    tableOf(
      'Missed',
      missedConcepts(trial.expected),
      [
        { key: 'label', title: 'concept', unit: 'name' },
        { key: 'how', of: ({ required }) => (required ? 'required' : 'optional') },
      ],
      { limit: LIMIT },
    ),
    withQuotes(
      tableOf('Not expected', invented, [CONCEPT, { key: 'how', of: sayInvented }], { limit: LIMIT }),
      invented,
    ),
    tableOf(
      'Relationships',
      graphEdges(trial).toSorted((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state)),
      [
        { key: 'state', of: ({ state }) => STATE_MARKS[state] },
        { key: 'source', title: 'from', unit: 'name' },
        { key: 'predicate', title: 'relationship' },
        { key: 'target', title: 'to', unit: 'name' },
        { key: 'note', of: sayEdge },
      ],
      { limit: EDGE_LIMIT },
    ),
  ];
}

function fieldTable(fields: readonly FieldEvidence[]): TableBlock {
  return tableOf(
    'Fields',
    fields,
    [
      { key: 'state', of: sayField },
      { key: 'name', title: 'field', unit: 'name' },
      { key: 'expected' },
      { key: 'said', title: 'extracted' },
      { key: 'how', of: ({ quote, given }) => (given === 0 ? '' : sayQuote(quote)) },
    ],
    { limit: EDGE_LIMIT },
  );
}

function sayField({ right, exact = 0, given, wanted, required }: FieldEvidence): string {
  if (given === 0) return required ? '▲ missing' : '▲ missing, optional';
  if (wanted === 0) return '✗ not expected';
  if (right === wanted && right === given) return exact === right ? '✓ right' : '✓ right, written otherwise';
  return right === 0 ? '✗ wrong' : `▲ ${right} of ${wanted}`;
}

function withQuotes(table: TableBlock, concepts: readonly ExtractedConcept[]): TableBlock {
  const fromOf = (quote: QuoteCheck | undefined) => (quote?.state === 'verified' ? quote.at[0] : undefined);
  const rows = table.rows.map((row, index) => ({ ...row, [QUOTE_FROM]: fromOf(concepts[index]?.quote) }));
  return { ...table, rows };
}

function sayFound({ label, match, quote }: ExtractedConcept): string {
  return listed([
    isSameWord(match?.expected ?? '', label) ? '' : `as ${match?.expected}`,
    match?.level ?? '',
    match?.similarity === undefined ? '' : match.similarity.toFixed(2),
    match?.duplicate ? 'duplicate' : '',
    quote.state === 'verified' && quote.unnamed === undefined ? '' : sayQuote(quote),
  ]);
}

function sayInvented({ canary, unmentioned, quote, flaw }: ExtractedConcept): string {
  const what = unmentioned ? 'not in the text' : 'in the text, not expected';
  return listed([canary === undefined ? what : `✗ a canary: ${canary}`, sayQuote(quote), flaw ?? '']);
}

function sayQuote(quote: QuoteCheck): string {
  switch (quote.state) {
    case 'verified':
      if (quote.unnamed === undefined) return 'quoted';
      return quote.unnamed === 'too long'
        ? 'its quote is longer than two sentences'
        : 'its quote speaks of something else';
    case 'none':
      return 'without a quote';
    case 'not in the text':
      return 'its quote is not in the text';
    case 'too short':
      return 'its quote is too short to prove anything';
  }
}

const STATE_MARKS = {
  forbidden: '✗ forbidden',
  wrong: '✗ wrong',
  missing: '▲ missing',
  right: '✓ right',
} as const;
const STATES = Object.keys(STATE_MARKS);

type GraphEdge = ReturnType<typeof graphEdges>[number];

function sayEdge(edge: GraphEdge): string {
  const { from, source, to, target } = edge;
  return listed([
    isSameWord(from, source) && isSameWord(to, target) ? '' : `as ${from} → ${to}`,
    'duplicate' in edge && edge.duplicate ? 'duplicate' : '',
    'required' in edge && !edge.required ? 'optional' : '',
    'flaw' in edge ? (edge.flaw ?? '') : '',
  ]);
}

/** Whether two labels differ only in spelling. */
function isSameWord(one: string, other: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  return plain(one) === plain(other);
}

function listed(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}
