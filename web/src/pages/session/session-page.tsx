import './session.css';
import { useState } from 'preact/hooks';
import {
  formatCents,
  formatCount,
  formatDuration,
  formatPerUsd,
  formatRatio,
  formatScore,
  formatTokens,
  UNMEASURED,
} from '../../../../src/report/number.ts';
import type {
  Explanation,
  ListedSession,
  OutcomeRow,
  PageOf,
  SessionOutcomes,
  SessionRatings,
  SessionTree,
} from '../../api/shapes.ts';
import { agentName, useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Segments } from '../../parts/choices.tsx';
import { Pill, TierPill } from '../../parts/measured.tsx';
import { Page } from '../../parts/page.tsx';
import { Command, Empty, Show } from '../../parts/states.tsx';
import { SaveLink } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import type { PageProps } from '../../routes.ts';
import { sessionName, shortName } from '../sessions/session-filters.ts';
import { Quality, sessionHref } from '../sessions/session-table.tsx';
import { Evidence } from './evidence.tsx';
import { CATEGORIES, type Run, worstRun } from './signals.ts';
import { Timeline } from './timeline.tsx';
import { Transcript } from './transcript.tsx';

const LIVE = ['session.updated', 'session.scored'];

/** A session reads like a story: the verdict, where the score comes from, what happened when, and the evidence. */
export function SessionPage({ params: { key = '' } }: PageProps) {
  const path = `sessions/${encodeURIComponent(key)}`;
  const explained = useResource<Explanation>(`${path}/explanation`, {}, LIVE);
  const listed = useResource<PageOf<ListedSession>>('sessions', { search: key, titles: 'true', limit: 1 });
  const tree = useResource<SessionTree>(`${path}/tree`, {}, LIVE);
  const one = listed.data?.items.find(
    ({ session_key, session_id }) => session_key === key || session_id === key,
  );
  const title = one === undefined ? `Session ${key.slice(0, 8)}` : sessionName(one);
  return (
    <Page
      title={title}
      live
      actions={
        // Of a session that is not there, nothing can be said or saved.
        explained.problem?.status !== 404 && (
          <>
            <a class="chip" href={`/sessions/${encodeURIComponent(key)}/rate`}>
              Rate it
            </a>
            <SaveLink path={`${path}/explanation`} name={`session-${key.slice(0, 8)}.json`} look="chip">
              JSON
            </SaveLink>
          </>
        )
      }
    >
      <Show of={explained} rows={10}>
        {(explanation) => <Story id={key} explanation={explanation} one={one} tree={tree.data} />}
      </Show>
    </Page>
  );
}

function Story({
  id,
  explanation,
  one,
  tree,
}: {
  readonly id: string;
  readonly explanation: Explanation;
  readonly one: ListedSession | undefined;
  readonly tree: SessionTree | undefined;
}) {
  const { runs } = explanation;
  const [chosen, setChosen] = useState<number>();
  const [line, setLine] = useState<number>();
  const index = chosen ?? worstRun(runs);
  const run = runs[index];
  if (run === undefined) return <p class="sub">Nothing of this session was scored.</p>;
  return (
    <>
      <Lead explanation={explanation} one={one} onLine={setLine} />
      <Facts explanation={explanation} one={one} />
      <p class="sub facts">{sayChance(explanation)}</p>
      {runs.length > 1 && (
        <div class="row runs">
          <span class="sub">It has {runs.length} runs; the one that lost most is shown first.</span>
          <Segments
            label="Run"
            choices={runs.map((_, at) => ({ value: String(at), name: `run ${at + 1}` }))}
            chosen={String(index)}
            onChoose={(value) => setChosen(Number(value))}
          />
        </div>
      )}
      <div class="grid g2">
        <Card
          title={explanation.q === null ? 'Q unmeasured' : `Q ${formatScore(explanation.q)}`}
          aside="width is weight, filled is earned, outlined is unmeasured"
        >
          <Contributions run={run} />
          <Timeline id={id} run={run} />
        </Card>
        <div class="stack">
          <Work explanation={explanation} />
          <Figures explanation={explanation} />
        </div>
      </div>
      <Card title="Why it lost points, biggest first" aside="lines open the transcript on this machine">
        <Evidence run={run} onLine={setLine} />
      </Card>
      <Transcript id={id} line={line} />
      {tree !== undefined && tree.sessions.length > 1 && <Tree tree={tree} current={id} />}
      <Ratings id={id} />
      <p class="foot">
        In a terminal: <Command text={`assay sessions explain ${explanation.session_id}`} />
      </p>
    </>
  );
}

/** The headline with its quote, then what else speaks against the session; lines open the transcript. */
function Lead({
  explanation,
  one,
  onLine,
}: {
  readonly explanation: Explanation;
  readonly one: ListedSession | undefined;
  readonly onLine: (line: number) => void;
}) {
  const { headline, receipts } = one ?? explanation;
  const [first, ...others] = receipts;
  return (
    <>
      <p class="lead">
        {first !== undefined && <Pill tone="bad">✗ {first.kind}</Pill>} <b>{headline}</b>{' '}
        {first !== undefined && <LineLink line={first.line} onLine={onLine} />}{' '}
        <TierPill tier={explanation.tier} verified={explanation.verified} />
      </p>
      {others.length > 0 && (
        <ul class="receipts sub">
          {others.map(({ text, quote, line }) => (
            <li key={text}>
              {text}
              {quote !== null && (
                <>
                  {' '}
                  <q>{quote}</q>
                </>
              )}{' '}
              <LineLink line={line} onLine={onLine} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function LineLink({
  line,
  onLine,
}: {
  readonly line: number | null;
  readonly onLine: (line: number) => void;
}) {
  if (line === null) return null;
  return (
    <button type="button" class="link" onClick={() => onLine(line)}>
      show line {line}
    </button>
  );
}

/** One muted line with its other properties. */
function Facts({
  explanation,
  one,
}: {
  readonly explanation: Explanation;
  readonly one: ListedSession | undefined;
}) {
  const { started_at: from, ended_at: to, cost_usd: cost, models } = explanation;
  const project = one?.project ?? null;
  const parts = [
    project === null ? undefined : shortName(project),
    `${explanation.task_type}: ${explanation.task_type_reason}`,
    models.join(', '),
    agentName(explanation.agent ?? explanation.source),
    from === null ? undefined : from.slice(0, 16).replace('T', ' '),
    from === null || to === null ? undefined : formatDuration(Date.parse(to) - Date.parse(from)),
    `${explanation.turns} ${explanation.turns === 1 ? 'turn' : 'turns'}, ${explanation.tool_calls} calls, ${explanation.tool_errors} failed`,
    cost === null ? `cost unknown: ${explanation.cost_reason ?? 'no price'}` : formatCents(cost),
    `${formatRatio(explanation.coverage)} of the weights measured${explanation.low_confidence ? ' (low confidence)' : ''}`,
  ];
  return <p class="sub facts">{parts.filter((part) => part !== undefined && part !== '').join(' · ')}</p>;
}

/** What its project's check said, and how likely it succeeded. */
function sayChance({ verify_result: result, success, known_outcomes: known }: Explanation): string {
  const checked = result === null ? '' : `The project's own check: ${result}. `;
  if (success === null) return `${checked}How likely it succeeded: no outcomes known yet (${known} of 10).`;
  const { p, low, high, n, of_task: own } = success;
  const same = own === 0 ? '' : `, ${formatCount(own)} of the same task`;
  return `${checked}Sessions like this one succeed ${percent(p)}% of the time [${percent(low)}, ${percent(high)}], from ${formatCount(n)} known outcomes${same}.`;
}

const percent = (share: number) => Math.round(100 * share);

/** Cost, tokens and time. */
export function Figures({ explanation }: { readonly explanation: Explanation }) {
  const { usage, cost_usd: cost, roi, roi_reason: why, delegation } = explanation;
  const tokens = (value: number | undefined) => (value === undefined ? UNMEASURED : formatTokens(value));
  const rows: readonly (readonly [string, string])[] = [
    ['cost', cost === null ? `${UNMEASURED} ${explanation.cost_reason ?? ''}` : formatCents(cost)],
    ['Q per dollar', typeof roi === 'number' ? formatPerUsd(roi) : (roi ?? `${UNMEASURED} ${why ?? ''}`)],
    ['written', tokens(usage?.output)],
    ['read', tokens(usage?.input)],
    ['read from a cache', tokens(usage?.cache_read)],
    ['context shortened', `${formatCount(explanation.compactions)} times`],
    ...(delegation.spawned > 0
      ? [['sub-agents', `${delegation.completed} of ${delegation.spawned} completed`] as const]
      : []),
  ];
  return (
    <Card title="What it took">
      <dl class="figures">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** Ratings and feedback of people. */
export function Ratings({ id }: { readonly id: string }) {
  const path = `sessions/${encodeURIComponent(id)}`;
  const ratings = useResource<SessionRatings>(`${path}/ratings`, {}, ['rating.saved']);
  return (
    <Card title="What people said" aside={<a href={`/${path}/rate`}>Rate it →</a>}>
      <Show of={ratings} rows={2}>
        {({ ratings: given, feedback }) =>
          given.length + feedback.length === 0 ? (
            <Empty>Nobody rated it yet. Ratings show how far Q can be trusted.</Empty>
          ) : (
            <ul class="opinions">
              {given.map(({ id: key, rating, author, note, at }) => (
                <li key={key}>
                  <b>{rating} of 5</b> <span class="sub">{author}</span> <When at={at} /> {note}
                </li>
              ))}
              {feedback.map(({ id: key, thumb, author, comment, at }) => (
                <li key={key}>
                  <b>{thumb === 'up' ? 'thumb up' : 'thumb down'}</b> <span class="sub">{author}</span>{' '}
                  <When at={at} /> {comment}
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Card>
  );
}

const NAMES = {
  completion: 'Completion',
  execution: 'Execution',
  efficiency: 'Efficiency',
  outcome: 'Outcome',
} as const;

/** The parts of Q: the width of a box is its weight, the fill what it earned; unmeasured ones are outlined. */
export function Contributions({ run: { categories } }: { readonly run: Run }) {
  return (
    <dl class="parts">
      {CATEGORIES.map((name) => {
        const { value, weight, contribution, coverage } = categories[name];
        const isMeasured = value !== null;
        return (
          <div key={name} class="part" style={{ flexGrow: Math.max(weight, 0.08) }}>
            <dt>{NAMES[name]}</dt>
            <dd>
              <span class={isMeasured ? 'box' : 'box unmeasured'} aria-hidden="true">
                {isMeasured && <i style={{ width: `${100 * value}%` }} />}
              </span>
              <span
                class="sub"
                {...(coverage < 1 && {
                  'data-hint': `${Math.round(100 * coverage)}% of its signals were measured`,
                })}
              >
                {isMeasured ? `${formatScore(contribution)} of ${formatScore(weight)}` : 'unmeasured'}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** What became of its lines in the repository. */
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
