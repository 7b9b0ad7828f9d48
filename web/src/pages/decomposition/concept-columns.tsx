import { formatScore } from '../../../../src/report/number.ts';
import { Pill } from '../../parts/measured.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { kindOf } from './marked-text.ts';
import type { Concept, Edge, Trial } from './shapes.ts';

const QUOTES: Readonly<Record<Concept['quote']['state'], string>> = {
  verified: 'quoted',
  none: 'without a quote',
  'not in the text': 'its quote is not in the text',
  'too short': 'its quote is too short to prove anything',
};

const UNNAMED = {
  'too long': 'its quote is longer than two sentences',
  elsewhere: 'its quote speaks of something else',
} as const;

function sayQuote({ state, unnamed }: Concept['quote']): string {
  return unnamed === undefined ? QUOTES[state] : UNNAMED[unnamed];
}

/** Found, missed, not expected: three columns that add up to what was expected and what was said. */
export function ConceptColumns({ trial }: { readonly trial: Trial }) {
  const found = trial.concepts.filter((concept) => kindOf(concept) === 'found');
  const invented = trial.concepts.filter((concept) => kindOf(concept) !== 'found');
  return (
    <div class="grid g3">
      <section class="card">
        <h2>
          <span class="tone-good">✓</span> Found {found.length}
        </h2>
        <Table
          caption="Concepts found"
          rows={found}
          rowKey={({ label }) => label}
          limit={12}
          columns={[FOUND, ...DETAILS]}
          empty={<p class="sub">Nothing that was expected.</p>}
        />
      </section>
      <section class="card">
        <h2>
          <span class="tone-caution">▲</span> Missed {trial.missed.length}
        </h2>
        <Table
          caption="Concepts missed"
          rows={trial.missed}
          rowKey={({ label }) => label}
          limit={12}
          columns={[
            {
              key: 'label',
              title: 'concept',
              names: true,
              value: ({ label }) => label,
              show: ({ label, required }) => (
                <>
                  {label}
                  <div class="sub">{required ? 'required' : 'optional'}</div>
                </>
              ),
            },
            { key: 'required', title: 'required', unseen: true, value: ({ required }) => required },
          ]}
          empty={<p class="sub">Nothing that was expected is missing.</p>}
        />
      </section>
      <section class="card">
        <h2>
          <span class="tone-bad">✗</span> Not expected {invented.length}
        </h2>
        <Table
          caption="Concepts not expected"
          rows={invented}
          rowKey={({ label }) => label}
          limit={12}
          columns={[INVENTED, ...DETAILS]}
          empty={<p class="sub">Nothing that was not expected.</p>}
        />
      </section>
    </div>
  );
}

const FOUND: Column<Concept> = {
  key: 'label',
  title: 'concept',
  names: true,
  value: ({ label }) => label,
  show: (concept) => (
    <>
      <Placed concept={concept} />
      <div class="sub">
        {!isSameWord(concept.expected ?? '', concept.label) && `as ${concept.expected} · `}
        {concept.level}
        {concept.similarity !== undefined && ` ${formatScore(concept.similarity)}`}
        {concept.duplicate && ' · said twice'}
        {(concept.quote.state !== 'verified' || concept.quote.unnamed !== undefined) &&
          ` · ${sayQuote(concept.quote)}`}
      </div>
    </>
  ),
};

const INVENTED: Column<Concept> = {
  key: 'label',
  title: 'concept',
  names: true,
  value: ({ label }) => label,
  show: (concept) => (
    <>
      <Placed concept={concept} />
      <div class="sub">
        {concept.canary === undefined ? (
          concept.unmentioned ? (
            'not in the text'
          ) : (
            'in the text, not expected'
          )
        ) : (
          <span class="tone-bad">✗ a canary: {concept.canary}</span>
        )}
        {` · ${sayQuote(concept.quote)}`}
        {concept.flaw !== undefined && ` · ${concept.flaw}`}
      </div>
    </>
  ),
};

const DETAILS: readonly Column<Concept>[] = [
  { key: 'expected', title: 'expected', unseen: true, value: ({ expected }) => expected },
  { key: 'level', title: 'level', unseen: true, value: ({ level }) => level },
  { key: 'canary', title: 'canary', unseen: true, value: ({ canary }) => canary },
  { key: 'confidence', title: 'confidence', unseen: true, value: ({ confidence }) => confidence },
  { key: 'quote', title: 'quote', unseen: true, value: ({ quote }) => quote.state },
];

/** A concept whose quote stands in the text leads to it. */
function Placed({ concept: { label, quote } }: { readonly concept: Concept }) {
  return quote.state === 'verified' ? <a href={`#quote-${quote.from}`}>{label}</a> : <span>{label}</span>;
}

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
          title: 'state',
          value: ({ state }) => state,
          show: ({ state }) => <Pill tone={WORDS[state][1]}>{WORDS[state][0]}</Pill>,
        },
        { key: 'source', title: 'from', names: true, value: ({ source }) => source },
        { key: 'predicate', title: 'relationship', value: ({ predicate }) => predicate },
        { key: 'target', title: 'to', value: ({ target }) => target },
        {
          key: 'note',
          title: 'note',
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

/** Whether two labels differ only in how they are spelt. */
function isSameWord(one: string, other: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  return plain(one) === plain(other);
}
