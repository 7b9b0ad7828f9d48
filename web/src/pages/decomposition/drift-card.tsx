import type { z } from 'zod';
import type { productionDrift } from '../../../../src/api/schema/production-drift.ts';
import { formatDate, formatValue } from '../../../../src/report/number.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import type { Unit } from '../../parts/measured.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';

type Drift = z.infer<typeof productionDrift>;
type Part = Drift['parts'][number];

const NAMES: Readonly<Record<Part['what'], readonly [name: string, unit: Unit]>> = {
  confidence: ['Mean confidence', 'score'],
  concepts: ['Concepts per topic', 'count'],
  relationships: ['Relationships per topic', 'count'],
  confidences: ['Distribution of confidence', 'ratio'],
  predicates: ['Distribution of predicates', 'ratio'],
};

/** The last day beside the week before it. */
export function DriftCard() {
  const drift = useResource<Drift>('production/drift', {}, ['production.recorded']);
  return (
    <Card title="Drift">
      <Show of={drift} rows={5}>
        {(data) => (
          <>
            <p class="sub told">{leadOf(data)}</p>
            <Table
              caption="The last day beside the week before it"
              rows={data.parts}
              rowKey={({ what }) => what}
              columns={[
                { key: 'what', header: 'what', names: true, value: ({ what }) => NAMES[what][0] },
                {
                  key: 'before',
                  header: 'week before',
                  numeric: true,
                  value: (part) => sideOf(part, 'before'),
                },
                { key: 'after', header: 'last day', numeric: true, value: (part) => sideOf(part, 'after') },
                { key: 'most', header: 'moved most', value: ({ most }) => most?.name },
                {
                  key: 'stability',
                  header: 'stability index',
                  numeric: true,
                  value: ({ stability }) => (stability === null ? null : formatValue(stability, 'score')),
                },
                {
                  key: 'verdict',
                  header: 'verdict',
                  value: ({ verdict }) => verdict,
                  show: ({ verdict }) => <Verdict verdict={verdict} />,
                },
              ]}
            />
          </>
        )}
      </Show>
    </Card>
  );
}

function leadOf({ before, after, level, least_requests: least }: Drift): string {
  const week = `${formatDate(before.since)} to ${formatDate(before.until)}`;
  return `${after.requests} requests of the last day beside ${before.requests} of the week ${week}. Whoever looks every hour is
    told of a difference that is none in at most ${formatValue(level, 'ratio')} of the weeks; below ${least} requests on either side
    nothing is said.`;
}

function sideOf(part: Part, side: 'before' | 'after'): string | null {
  const value = part.most === null ? part[side] : part.most[side];
  return value === null ? null : formatValue(value, NAMES[part.what][1]);
}

function Verdict({ verdict }: { readonly verdict: Part['verdict'] }) {
  if (verdict === 'moved') return <Pill tone="caution">▲ moved</Pill>;
  return verdict === 'no sign' ? (
    <Pill tone="good">✓ no sign of it</Pill>
  ) : (
    <span class="faint">too few to tell</span>
  );
}
