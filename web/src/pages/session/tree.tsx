import { formatCents } from '../../../../src/report/number.ts';
import { agentName } from '../../api/agent-names.ts';
import type { SessionTree } from '../../api/shapes.ts';
import { Card } from '../../parts/card.tsx';
import { sessionName } from '../sessions/session-name.ts';
import { Quality, sessionHref } from '../sessions/session-table.tsx';

type Member = SessionTree['sessions'][number];

/** Who started whom, with what each cost and all below it. */
export function Tree({ tree, current }: { readonly tree: SessionTree; readonly current: string }) {
  const children = Map.groupBy(tree.sessions, ({ parent_key }) => parent_key);
  return (
    <Card
      title="Sub-agents"
      aside={tree.complete ? `${tree.sessions.length} sessions` : 'there are more than are shown'}
    >
      <Branch members={children.get(null) ?? []} under={children} current={current} />
    </Card>
  );
}

function Branch({
  members,
  under,
  current,
}: {
  readonly members: readonly Member[];
  readonly under: ReadonlyMap<string | null, readonly Member[]>;
  readonly current: string;
}) {
  return (
    <ul class="tree">
      {members.map((one) => {
        const below = under.get(one.session_key) ?? [];
        const isCurrent = one.session_key === current || one.session_id === current;
        return (
          <li key={one.session_key}>
            <span class="branch">
              {isCurrent ? (
                <b aria-current="page">{sessionName(one)}</b>
              ) : (
                <a href={sessionHref(one)}>{sessionName(one)}</a>
              )}
              <Quality of={one} />
              <span class="sub">
                {[
                  agentName(one.agent ?? one.source),
                  one.model,
                  one.cost_usd === null ? 'cost unknown' : formatCents(one.cost_usd),
                  below.length > 0 &&
                    one.total_cost_usd !== null &&
                    `${formatCents(one.total_cost_usd)} with all below`,
                ]
                  .filter((part) => typeof part === 'string')
                  .join(' · ')}
              </span>
            </span>
            {below.length > 0 && <Branch members={below} under={under} current={current} />}
          </li>
        );
      })}
    </ul>
  );
}
