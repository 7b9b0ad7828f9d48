import type { z } from 'zod';
import type { experimentList } from '../../../../src/api/schema/experiments.ts';
import { formatValue } from '../../../../src/report/number.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Table } from '../../parts/table.tsx';

type Experiments = z.infer<typeof experimentList>;
type Experiment = Experiments['experiments'][number];

const TONES = {
  'not to be trusted': ['bad', '✗'],
  'guard rail crossed': ['bad', '✗'],
  'candidate better': ['good', '✓'],
  'candidate worse': ['caution', '▲'],
  'no difference that matters': ['quiet', '–'],
  'too early to tell': ['quiet', '–'],
} as const;

/** Two prompts on live requests: what each experiment says so far. Where there is none, there is nothing to see. */
export function ExperimentsCard() {
  const { data } = useResource<Experiments>('experiments', {}, ['production.recorded', 'rating.saved']);
  if (data === undefined || data.experiments.length === 0) return null;
  return (
    <Card title="Two prompts on live requests">
      <Table
        caption="Experiments with prompts"
        rows={data.experiments}
        rowKey={({ plan }) => plan.id}
        columns={[
          {
            key: 'experiment',
            header: 'experiment',
            names: true,
            value: ({ plan }) => plan.id,
            show: ({ plan }) => (
              <>
                {plan.id}
                <div class="sub">
                  {plan.candidate} against {plan.control}, {formatValue(plan.share, 'ratio')} of the keys
                </div>
              </>
            ),
          },
          { key: 'requests', header: 'requests', numeric: true, value: ({ requests }) => requests },
          { key: 'keys', header: 'keys', numeric: true, value: ({ keys }) => keys.control + keys.candidate },
          { key: 'difference', header: 'difference', unseen: true, value: ({ difference }) => difference },
          {
            key: 'says',
            header: 'what it says',
            value: saysOf,
            show: (row) => <div class="words">{saysOf(row)}</div>,
          },
          {
            key: 'verdict',
            header: 'verdict',
            value: ({ verdict }) => verdict,
            show: ({ verdict }) => <Verdict verdict={verdict} />,
          },
        ]}
      />
    </Card>
  );
}

function saysOf({ says, stopped }: Experiment): string {
  return stopped === null ? says : `${says} Stopped: ${stopped.decision}.`;
}

function Verdict({ verdict }: { readonly verdict: Experiment['verdict'] }) {
  const [tone, mark] = TONES[verdict];
  return (
    <Pill tone={tone}>
      {mark} {verdict}
    </Pill>
  );
}
