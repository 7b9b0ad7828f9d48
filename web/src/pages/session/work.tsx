/** What became of the lines it wrote, as its repository says. */
import { formatCount } from '../../../../src/report/number.ts';
import type { Explanation, OutcomeRow, SessionOutcomes } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Show } from '../../parts/states.tsx';

const ROWS = [
  { key: 'lines_written', name: 'written' },
  { key: 'lines_committed', name: 'committed' },
  { key: 'lines_on_default', name: 'on the default branch' },
  { key: 'lines_surviving', name: 'there now' },
] as const;

const SECOND_MS = 1000;

export function Work({ explanation }: { readonly explanation: Explanation }) {
  const { started_at: at, session_id: id } = explanation;
  const outcomes = useResource<SessionOutcomes>(at === null ? undefined : 'sessions/outcomes', {
    since: at ?? undefined,
    until: at === null ? undefined : new Date(Date.parse(at) + SECOND_MS).toISOString(),
  });
  return (
    <Card title="What became of the work">
      {at === null ? (
        <p class="sub">Without a time its repository cannot be asked.</p>
      ) : (
        <Show of={outcomes} rows={4}>
          {({ outcomes: rows }) => <Bars row={rows.find(({ session_id }) => session_id === id)} />}
        </Show>
      )}
    </Card>
  );
}

function Bars({ row }: { readonly row: OutcomeRow | undefined }) {
  if (row?.lines_written === 0) return <p class="sub">It wrote no lines that a repository could keep.</p>;
  if (row === undefined || row.lines_written === null)
    return (
      <p class="sub">{row?.reason ?? 'Its repository is not on this machine, or nothing was written.'}</p>
    );
  const most = Math.max(1, row.lines_written);
  return (
    <>
      <dl class="bars">
        {ROWS.map(({ key, name }) => {
          const value = row[key];
          return (
            <div key={key}>
              <dt>{name}</dt>
              <dd>
                {value === null ? (
                  <span class="faint">– {row.reason ?? 'not known'}</span>
                ) : (
                  <>
                    <i
                      class={value === 0 ? 'none' : undefined}
                      style={{ width: `${(100 * value) / most}%` }}
                      aria-hidden="true"
                    />
                    <span>{formatCount(value)}</span>
                  </>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      <p class="sub">
        {row.reverted === true && <b class="tone-bad">✗ taken back. </b>}
        {row.commits.length > 0 && `commits ${row.commits.map((one) => one.slice(0, 7)).join(' ')}`}
        {row.evidence.length > 0 && ` · ${row.evidence[0]}`}
      </p>
    </>
  );
}
