/** Relationships as a picture: right, wrong and missing lines between concepts. The table below it says the same. */
import { Segments } from '../../parts/choices.tsx';
import { choose, place } from '../../router/location.ts';
import { layOut, type Placed } from './graph-layout.ts';
import { kindOf } from './marked-text.ts';
import type { Edge, Trial } from './shapes.ts';

const COLUMN = 216;
const ROW = 46;
const BOX = { width: 158, height: 28 } as const;
const MARGIN = 10;
/** Wider letters than these do not occur often; the whole name is in the hint and in the table. */
const LETTERS = 20;
/** With more lines than these, their names are in the hint and in the table only. */
const NAMED_LINES = 16;

const CHOICES = [
  { value: 'all', name: 'all' },
  { value: 'right', name: 'right' },
  { value: 'wrong', name: 'wrong' },
  { value: 'missing', name: 'missing' },
];

/** `named`: only a relationship speaks of it. */
type Kind = 'found' | 'missed' | 'invented' | 'canary' | 'named';

export function RelationGraph({ trial }: { readonly trial: Trial }) {
  const edges = trial.relationships.filter(({ duplicate }) => duplicate !== true);
  const kinds = kindsOf(trial);
  const layout = layOut(edges);
  const at = new Map(layout.nodes.map((node) => [node.name, node]));
  const [width, height] = [
    MARGIN * 2 + Math.max(0, layout.columns - 1) * COLUMN + BOX.width,
    MARGIN * 2 + Math.max(0, layout.rows - 1) * ROW + BOX.height + 14,
  ];
  const chosen = place.value.query.get('edges') ?? 'all';
  const shown = edges.filter(
    ({ state }) => chosen === 'all' || (state === 'forbidden' ? 'wrong' : state) === chosen,
  );
  const count = (state: Edge['state']) => edges.filter((edge) => edge.state === state).length;
  const summary = `${count('right')} right, ${count('wrong') + count('forbidden')} wrong and ${count('missing')} missing relationships between ${layout.nodes.length} concepts${chosen === 'all' ? '' : `; only ${chosen} ones are drawn`}`;
  return (
    <>
      {edges.length > NAMED_LINES && (
        <Segments
          label="Lines that are shown"
          choices={CHOICES}
          chosen={chosen}
          onChoose={(value) => choose({ edges: value === 'all' ? undefined : value })}
        />
      )}
      <p class="graph-legend sub">
        <Sample state="right" /> {count('right')} right <Sample state="wrong" />{' '}
        {count('wrong') + count('forbidden')} wrong <Sample state="missing" /> {count('missing')} missing
        {shown.length > NAMED_LINES && <span>· point at a line for its name</span>}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide picture scrolls, and must do so from the keyboard. */}
      <section class="scroll graph" tabIndex={0} aria-label="Graph of the relationships">
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary}>
          {shown.map((edge, index) => (
            <Line
              key={`${index} ${edge.from} ${edge.to}`}
              named={shown.length <= NAMED_LINES}
              edge={edge}
              from={at.get(edge.from)}
              to={at.get(edge.to)}
            />
          ))}
          {layout.nodes.map((node) => (
            <Box key={node.name} node={node} kind={kinds.get(node.name) ?? 'named'} />
          ))}
        </svg>
      </section>
    </>
  );
}

function kindsOf({ concepts, missed }: Trial): ReadonlyMap<string, Kind> {
  return new Map<string, Kind>([
    ...missed.map(({ label }) => [label, 'missed'] as const),
    ...concepts.map((concept) => [concept.expected ?? concept.label, kindOf(concept)] as const),
  ]);
}

function Sample({ state }: { readonly state: Edge['state'] }) {
  return (
    <svg width="30" height="10" aria-hidden="true">
      <path class={`edge edge-${state}`} d="M1 5H29" />
    </svg>
  );
}

const MARK: Readonly<Record<Kind, string>> = {
  found: '✓',
  missed: '▲',
  invented: '✗',
  canary: '✗',
  named: '–',
};

const WORDS: Readonly<Record<Kind, string>> = {
  found: 'found',
  missed: 'missed',
  invented: 'not expected',
  canary: 'a canary',
  named: 'only named in a relationship',
};

function Box({ node: { name, column, row }, kind }: { readonly node: Placed; readonly kind: Kind }) {
  const [x, y] = [MARGIN + column * COLUMN, MARGIN + row * ROW];
  const short = name.length > LETTERS ? `${name.slice(0, LETTERS - 1)}…` : name;
  return (
    <g class={`node node-${kind}`} data-hint={`${name}: ${WORDS[kind]}`}>
      <rect x={x} y={y} width={BOX.width} height={BOX.height} rx={6} />
      <text x={x + 8} y={y + 18}>
        <tspan class="node-mark">{MARK[kind]}</tspan> {short}
      </text>
    </g>
  );
}

function Line({
  edge,
  named,
  from,
  to,
}: {
  readonly edge: Edge;
  readonly named: boolean;
  readonly from: Placed | undefined;
  readonly to: Placed | undefined;
}) {
  if (from === undefined || to === undefined) return null;
  const { d, middle } = curve(from, to);
  const words = `${edge.source} ${edge.predicate} ${edge.target}: ${edge.state}`;
  return (
    <g data-hint={words}>
      <path class="edge-reach" d={d} />
      <path class={`edge edge-${edge.state}`} d={d} />
      {named && (
        <text class={`edge-name edge-name-${edge.state}`} x={middle.x} y={middle.y - 3} text-anchor="middle">
          {edge.predicate.toLowerCase().replaceAll('_', ' ')}
        </text>
      )}
    </g>
  );
}

/** From the right side of one box to the left side of another; back and sideways it goes around. */
function curve(from: Placed, to: Placed): { readonly d: string; readonly middle: { x: number; y: number } } {
  const y = (node: Placed) => MARGIN + node.row * ROW + BOX.height / 2;
  const left = (node: Placed) => MARGIN + node.column * COLUMN;
  const [y1, y2] = [y(from), y(to)];
  if (to.column > from.column) {
    const [x1, x2] = [left(from) + BOX.width, left(to)];
    const bend = Math.max(24, (x2 - x1) / 2);
    return {
      d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
      middle: { x: (x1 + x2) / 2, y: (y1 + y2) / 2 },
    };
  }
  const below = Math.max(y1, y2) + ROW / 2;
  const [x1, x2] = [left(from) + BOX.width / 2, left(to) + BOX.width / 2];
  const [b1, b2] = [y1 + BOX.height / 2, y2 + BOX.height / 2];
  if (from === to || x1 === x2) {
    const side = left(from) - 6;
    return {
      d: `M${left(from)} ${y1}C${side - 12} ${y1} ${side - 12} ${y2} ${left(to)} ${y2}`,
      middle: { x: side + 30, y: (y1 + y2) / 2 },
    };
  }
  return {
    d: `M${x1} ${b1}C${x1} ${below + 10} ${x2} ${below + 10} ${x2} ${b2}`,
    middle: { x: (x1 + x2) / 2, y: below + 4 },
  };
}
