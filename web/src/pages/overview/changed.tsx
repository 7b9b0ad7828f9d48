/** What moved against the week before: sessions as a whole, and every series of runs with one in both. */
import {
  formatCents,
  formatCount,
  formatPoints,
  formatRatio,
  formatScore,
} from '../../../../src/report/number.ts';
import type { Overview, SessionSummary } from '../../api/shapes.ts';
import { useView } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/states.tsx';
import { wordsOf } from './overview-page.tsx';

type Moved = { readonly what: string; readonly from: string; readonly to: string; readonly by: string };

const SHOWN = 6;
const WORTH_SHOWN = 2;

export function Changed({ overview }: { readonly overview: Overview }) {
  const { sessions, changed } = overview;
  const moved = [...movedSessions(sessions.current, sessions.previous), ...changed.map(movedRun)].slice(
    0,
    SHOWN,
  );
  return (
    <Card title="What changed since last week">
      {moved.length === 0 ? (
        <Empty>There is nothing of the week before to compare with.</Empty>
      ) : (
        <dl class="moved">
          {moved.map(({ what, from, to, by }) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd class="keep">
                <span class="faint">{from} →</span> <b>{to}</b>
              </dd>
              {by !== '' && <dd class="sub">{by}</dd>}
            </div>
          ))}
        </dl>
      )}
      <Worth />
    </Card>
  );
}

/** Whether the more expensive models were worth it, in a sentence each. */
function Worth() {
  const { data } = useView('sessions/frontier', { by: 'model' });
  const answers = data?.blocks.find((block) => block.kind === 'list');
  if (answers?.kind !== 'list') return null;
  return (
    <div class="worth">
      <h3>
        <a href="/sessions?view=worth">Is the more expensive model worth it? →</a>
      </h3>
      <ul>
        {answers.items.slice(0, WORTH_SHOWN).map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </div>
  );
}

function movedSessions(now: SessionSummary, then: SessionSummary): Moved[] {
  if (now.n === 0 || then.n === 0) return [];
  const rows: Moved[] = [{ what: 'Sessions', from: formatCount(then.n), to: formatCount(now.n), by: '' }];
  if (now.q !== null && then.q !== null)
    rows.push(
      {
        what: 'Median Q of sessions',
        from: formatScore(then.q.median),
        to: formatScore(now.q.median),
        by: '',
      },
      {
        what: 'Poor or failed sessions',
        from: formatRatio(then.q.poor_share),
        to: formatRatio(now.q.poor_share),
        by: formatPoints(100 * (now.q.poor_share - then.q.poor_share)),
      },
    );
  if (now.cost !== null && then.cost !== null)
    rows.push({
      what: 'Cost of sessions',
      from: formatCents(then.cost.total_usd),
      to: formatCents(now.cost.total_usd),
      by: `a session: ${formatCents(then.cost.mean_usd)} → ${formatCents(now.cost.mean_usd)}`,
    });
  return rows;
}

function movedRun({ subject, metric, before, after }: Overview['changed'][number]): Moved {
  const text = (value: number | null) => (value === null ? '–' : formatScore(value));
  return {
    what: `${subject}: ${wordsOf(metric)}`,
    from: text(before.value),
    to: text(after.value),
    by: before.value === null || after.value === null ? '' : formatPoints(100 * (after.value - before.value)),
  };
}
