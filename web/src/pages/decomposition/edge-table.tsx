import { Pill } from '../../parts/pill.tsx';
import { Table } from '../../parts/table.tsx';
import { isSameWord } from './same-word.ts';
import type { Edge, Trial } from './shapes.ts';

const WORDS: Readonly<Record<Edge['state'], readonly [string, 'good' | 'bad' | 'caution']>> = {
  forbidden: ['✗ forbidden', 'bad'],
  wrong: ['✗ wrong', 'bad'],
  missing: ['▲ missing', 'caution'],
  right: ['✓ right', 'good'],
};

const ORDER = Object.keys(WORDS);

/** What the picture shows, in words: first what is wrong. */
export function EdgeTable({ trial }: { readonly trial: Trial }) {
  const rows = trial.relationships
    .map((edge, index) => ({ ...edge, index }))
    .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || a.index - b.index);
  return (
    <Table
      caption="Relationships"
      rows={rows}
      rowKey={({ index }) => String(index)}
      limit={12}
      columns={[
        {
          key: 'state',
          header: 'state',
          value: ({ state }) => state,
          show: ({ state }) => <Pill tone={WORDS[state][1]}>{WORDS[state][0]}</Pill>,
        },
        { key: 'source', header: 'from', names: true, value: ({ source }) => source },
        { key: 'predicate', header: 'relationship', value: ({ predicate }) => predicate },
        { key: 'target', header: 'to', value: ({ target }) => target },
        {
          key: 'note',
          header: 'note',
          value: (edge) => noteOn(edge),
          show: (edge) => <span class="sub">{noteOn(edge)}</span>,
        },
      ]}
      empty={<p class="sub">No relationship was expected and none was found.</p>}
    />
  );
}

function noteOn({ from, source, to, target, duplicate, required, flaw }: Edge): string {
  return [
    isSameWord(from, source) && isSameWord(to, target) ? '' : `as ${from} → ${to}`,
    duplicate ? 'said twice' : '',
    required === false ? 'optional' : '',
    flaw ?? '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
