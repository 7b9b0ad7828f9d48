/** What became of errors and findings in a score, and why. */
import type { Block, Row, TableBlock } from '../../report/document.ts';
import { formatCount } from '../../report/number.ts';
import { errorsAcross } from '../errors-across.ts';
import type { Mapping } from '../ingest/mapping.ts';
import type { ScoreSummary } from '../summary.ts';
import type { GroundTruth } from '../truth.ts';

export function countsTable(summary: ScoreSummary): TableBlock {
  const names = ['matched', 'partial', 'missed', 'bonus', 'false', 'duplicate', 'unresolved'] as const;
  return {
    kind: 'table',
    title: 'What became of errors and findings',
    limit: 10,
    columns: [
      { key: 'run', header: 'run', style: 'name' },
      ...names.map((name) => ({ key: name, header: name, style: 'count' as const })),
    ],
    rows: summary.runs.map(({ run, counts }) => ({ run: run.run, ...counts })),
  };
}

export function missedBlock({ runs }: ScoreSummary, { errors }: GroundTruth): Block[] {
  const never = errorsAcross(runs.map(({ run }) => run)).filter(({ found }) => found === 0);
  if (never.length === 0) return [];
  const known = new Map(errors.map((error) => [error.id, error]));
  const shown = never.slice(0, 10).map(({ id }) => {
    const { severity, description } = known.get(id) ?? {};
    return `${id}${severity === undefined ? '' : ` (${severity.toLowerCase()})`}: ${description ?? ''}`;
  });
  const more = never.length > 10 ? [`and ${formatCount(never.length - 10)} more (--format json)`] : [];
  return [{ kind: 'list', title: 'Never found', items: [...shown, ...more] }];
}

/** Made when somebody looks: of thousands of runs it is large, and a terminal leaves it out. */
export function matchesTable(summary: ScoreSummary): TableBlock {
  let made: readonly Row[] | undefined;
  return {
    kind: 'table',
    title: 'Why findings match errors',
    folded: true,
    columns: [
      { key: 'run', header: 'run', style: 'text' },
      { key: 'finding', header: 'finding', style: 'name' },
      { key: 'error', header: 'error', style: 'name' },
      { key: 'match', header: 'match', style: 'text' },
      { key: 'criteria', header: 'because of', style: 'text' },
      { key: 'credited', header: 'credited', style: 'text' },
    ],
    get rows() {
      made ??= matchRows(summary);
      return made;
    },
  };
}

function matchRows({ runs }: ScoreSummary): Row[] {
  // Runs have most of their matches in common, and those have one list of criteria.
  const because = new Map<readonly string[], string>();
  const inWords = (criteria: readonly string[]) => {
    const words = because.get(criteria) ?? criteria.join(', ');
    because.set(criteria, words);
    return words;
  };
  return runs.flatMap(({ run }) =>
    run.edges.map(({ finding, error, strength, criteria, chosen }) => ({
      run: run.run,
      finding,
      error,
      match: strength,
      criteria: inWords(criteria),
      credited: chosen ? 'yes' : 'no',
    })),
  );
}

export function mappingBlock(mappings: readonly Mapping[]): Block[] {
  if (mappings.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'Translated from another format',
      limit: 10,
      columns: [
        { key: 'field', header: 'field', style: 'text' },
        { key: 'from', header: 'from', style: 'name' },
        { key: 'to', header: 'to', style: 'name' },
        { key: 'count', header: 'times', style: 'count' },
        { key: 'because', header: 'because', style: 'text' },
      ],
      rows: mappings.map(({ field, from, to, count, because }) => ({ field, from, to, count, because })),
    },
  ];
}
