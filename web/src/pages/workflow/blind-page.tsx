/** The blind protocol, one step after the other: the page shows only what is due, and the server refuses anything else. */
import '../quality.css';
import './workflow.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatAmount } from '../../../../src/report/number.ts';
import { asProblem, type Problem, post } from '../../api/client.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Measured, Pill } from '../../parts/measured.tsx';
import { Page } from '../../parts/page.tsx';
import { Command, Empty, Failed, Loading, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import type { Check, Desk, Status } from './shapes.ts';
import { AssessStep, type At, MatchStep, PredictStep, type Refused, type StepProps } from './step-form.tsx';

const STEPS = [
  ['assess', '1 Assess findings blind'],
  ['predict', '2 Predict what was caught'],
  ['match', '3 Match by objective criteria'],
  ['check', '4 Check for bias'],
] as const;

export function BlindPage({ query }: PageProps) {
  const [folder, by] = [query.get('folder') ?? '', query.get('by') ?? ''];
  const status = useResource<Status>(folder === '' ? undefined : 'workflow/blind/status', { folder });
  const desk = useResource<Desk>(folder === '' || by === '' ? undefined : 'workflow/blind/desk', {
    folder,
    by,
  });
  const [receipt, setReceipt] = useState<string>();
  const [refused, setRefused] = useState<Refused>();
  const held = useHeldDesk(desk.data);
  const goOn = () => {
    held.letGo();
    desk.reload();
    status.reload();
  };
  const steps: Steps = {
    onTyped: held.hold,
    onDone: (sealed) => {
      if (typeof sealed === 'string') setReceipt(sealed);
      setRefused(undefined);
      goOn();
    },
    onRefused: (one) => {
      setRefused(one);
      goOn();
    },
  };
  const lead = by === '' ? 'Who evaluates? Each evaluator goes through four steps alone.' : leadOf(held.desk);
  return (
    <Page
      title="Blind evaluation"
      actions={
        <a class="chip" href="/workflow">
          all evaluations
        </a>
      }
      {...(lead !== undefined && { lead })}
    >
      {folder === '' ? (
        <Empty command="assay workflow blind start --help">
          The address names no evaluation. One begins with:
        </Empty>
      ) : (
        <>
          <p class="sub facts">
            {folder}
            {by !== '' && ` · ${by}`}
          </p>
          {by !== '' && <Steps now={held.desk?.step} />}
          {receipt !== undefined && <Receipt text={receipt} />}
          {refused !== undefined && <NotSaved refused={refused} />}
          {by === '' ? (
            <Show of={status}>{(data) => <WhoAreYou status={data} />}</Show>
          ) : (
            <Show of={desk} rows={6}>
              {(data) => <Due desk={held.desk ?? data} steps={steps} />}
            </Show>
          )}
          <Card title="Who is at which step" aside="counts only: nobody sees what another one answered">
            <Show of={status}>{(data) => <Progress status={data} />}</Show>
          </Card>
        </>
      )}
    </Page>
  );
}

type Steps = Pick<StepProps, 'onDone' | 'onTyped' | 'onRefused'>;

/**
 * What lies before the evaluator. While something is written that is not saved, another window that goes on does not take
 * it away; saving it says what became of it.
 */
function useHeldDesk(latest: Desk | undefined) {
  const shown = useRef(latest);
  const isHeld = useRef(false);
  const isOther = shown.current?.by !== latest?.by || shown.current?.folder !== latest?.folder;
  if (!isHeld.current || isOther) {
    isHeld.current = false;
    shown.current = latest;
  }
  return {
    desk: shown.current,
    hold: () => {
      isHeld.current = true;
    },
    letGo: () => {
      isHeld.current = false;
    },
  };
}

function leadOf(desk: Desk | undefined): string | undefined {
  switch (desk?.step) {
    case 'assess':
      return 'Say of each finding what it means, before anybody has seen the known errors.';
    case 'predict':
      return 'Say of each known error whether the review will have caught it, before you see what matches.';
    case 'match':
      return 'Match findings to known errors by place, quote and lines, and say why.';
    case 'check':
      return 'Your answers are sealed. Opening the results ends the evaluation for everybody.';
    case 'opened':
      return 'The results are open: what the evaluators agree on, and whether anything speaks of bias.';
    default:
      return undefined;
  }
}

function Steps({ now }: { readonly now: Desk['step'] | undefined }) {
  const current = now === 'opened' ? 'check' : now;
  const at = STEPS.findIndex(([step]) => step === current);
  return (
    <ol class="steps" aria-label="Steps">
      {STEPS.map(([step, name], index) => (
        <li key={step} aria-current={step === current ? 'step' : undefined}>
          {index < at && <span class="tone-good">✓ </span>}
          {name}
          {index < at && <span class="unseen"> (sealed)</span>}
        </li>
      ))}
    </ol>
  );
}

function Receipt({ text }: { readonly text: string }) {
  return (
    <p class="stale" role="status">
      <span class="tone-good">✓</span> Sealed. This receipt proves later that nothing was changed:{' '}
      <Command text={text} />
    </p>
  );
}

/** Nothing that was written is gone without a word: it can be copied from here. */
function NotSaved({ refused: { problem, words } }: { readonly refused: Refused }) {
  return (
    <div class="failed" role="alert">
      <p>
        <b>
          <span class="tone-bad">✗</span> Not saved
        </b>
        : {problem.detail} You may have answered in another window. What you wrote here was:
      </p>
      <ul class="notes">
        {words.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </div>
  );
}

function Due({ desk, steps }: { readonly desk: Desk; readonly steps: Steps }) {
  const { folder, by } = desk;
  const at = { folder, by };
  switch (desk.step) {
    case 'assess':
      return <AssessStep at={at} findings={desk.findings ?? []} of={desk.of ?? 0} {...steps} />;
    case 'predict':
      return <PredictStep at={at} errors={desk.errors} of={desk.of ?? 0} {...steps} />;
    case 'match':
      return desk.matches === undefined ? null : (
        <MatchStep at={at} matches={desk.matches} of={desk.of ?? 0} {...steps} />
      );
    case 'check':
      return (
        <CheckStep
          at={at}
          waiting={desk.waiting ?? []}
          disputed={desk.disputed ?? []}
          onDone={steps.onDone}
        />
      );
    case 'opened':
      return <Results at={at} />;
  }
}

function WhoAreYou({ status }: { readonly status: Status }) {
  const [name, setName] = useState('');
  const known = status.evaluators.map((one) => one.name);
  return (
    <Card title="Who evaluates?">
      <form
        class="blind-form"
        onSubmit={(event) => {
          event.preventDefault();
          choose({ by: name.trim() });
        }}
      >
        <label class="field">
          Your name, as it goes into the record
          <input
            value={name}
            required
            maxLength={200}
            list="known-evaluators"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <datalist id="known-evaluators">
          {known.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <button type="submit" class="primary">
          Go on
        </button>
      </form>
    </Card>
  );
}

function Progress({ status }: { readonly status: Status }) {
  type Row = Status['evaluators'][number];
  const step = (key: 'assess' | 'predict' | 'match', title: string) => ({
    key,
    title,
    value: (row: Row) => `${row[key].done}/${row[key].of}`,
    show: (row: Row) => (
      <span class="keep">
        {row[key].sealed_in === undefined ? '' : <span class="tone-good">✓ </span>}
        {row[key].done} of {row[key].of}
        {row[key].sealed_in !== undefined && <span class="sub"> sealed in entry {row[key].sealed_in}</span>}
      </span>
    ),
  });
  return (
    <Table
      caption="Evaluators"
      rows={status.evaluators}
      rowKey={({ name }) => name}
      columns={[
        { key: 'name', title: 'evaluator', names: true, value: ({ name }) => name },
        step('assess', 'assessed'),
        step('predict', 'predicted'),
        step('match', 'matched'),
      ]}
      empty={<p class="sub">Nobody has begun.</p>}
    />
  );
}

/** Step 4: opening the results ends the evaluation, so who is left out and what stays undecided is said first. */
export function CheckStep({
  at,
  waiting,
  disputed,
  onDone,
}: {
  readonly at: At;
  readonly waiting: readonly string[];
  readonly disputed: readonly string[];
  readonly onDone: () => void;
}) {
  const [without, setWithout] = useState(false);
  const [leave, setLeave] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const open = async () => {
    try {
      await post('workflow/blind/check', {
        ...at,
        without: without ? waiting : [],
        leave_disputes: leave,
      });
      onDone();
    } catch (fault) {
      setProblem(asProblem(fault));
    }
  };
  return (
    <Card title="Step 4: open the results">
      <form
        class="blind-form"
        onSubmit={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        {waiting.length > 0 && (
          <label class="radio">
            <input type="checkbox" checked={without} onChange={() => setWithout(!without)} />
            go on without {waiting.join(', ')}, who {waiting.length === 1 ? 'is' : 'are'} not done
          </label>
        )}
        {disputed.length > 0 && (
          <label class="radio">
            <input type="checkbox" checked={leave} onChange={() => setLeave(!leave)} />
            leave {formatAmount(disputed.length, 'disputed finding')} undecided
          </label>
        )}
        {waiting.length === 0 && disputed.length === 0 && <p>Everybody is done and nothing is disputed.</p>}
        {problem !== undefined && <Failed title={problem.message} detail={problem.detail} />}
        <button type="submit" class="primary">
          Open the results
        </button>
      </form>
    </Card>
  );
}

export function Results({ at }: { readonly at: At }) {
  const [check, setCheck] = useState<Check>();
  const [problem, setProblem] = useState<Problem>();
  // Reading open results again changes nothing.
  useEffect(() => {
    post<Check>('workflow/blind/check', at).then(setCheck, (fault: unknown) => setProblem(asProblem(fault)));
  }, [at.folder, at.by]);
  if (problem !== undefined) return <Failed title={problem.message} detail={problem.detail} />;
  if (check === undefined) return <Loading rows={6} />;
  return (
    <>
      <Card
        title="Evaluators"
        aside={
          check.flagged ? <Pill tone="bad">✗ signs of bias</Pill> : <Pill tone="good">✓ no sign of bias</Pill>
        }
      >
        <Evaluators check={check} />
      </Card>
      <Card title="Decisions" aside={agreementOf(check)}>
        <Decisions check={check} />
      </Card>
    </>
  );
}

function agreementOf({ agreement, decisions }: Check): string {
  const said = `${formatAmount(decisions.length, 'finding')}, ${agreement.disputed} disputed`;
  return agreement.alpha.value === null ? said : `${said}, alpha ${agreement.alpha.value.toFixed(2)}`;
}

function Evaluators({ check }: { readonly check: Check }) {
  type Row = Check['evaluators'][number];
  const signs = ({ indicators }: Row) =>
    [
      [indicators.changed_after_truth.length, 'changed after seeing the known errors'],
      [indicators.contradicted.length, 'labels against the blind judgement'],
      [indicators.generous_against_no.length, 'generous where NO was predicted'],
      [indicators.strict_against_yes.length, 'strict where YES was predicted'],
    ]
      .filter(([count]) => count !== 0)
      .map(([count, words]) => `${count} ${words}`);
  return (
    <Table
      caption="Evaluators and signs of bias"
      rows={check.evaluators}
      rowKey={({ name }) => name}
      columns={[
        { key: 'name', title: 'evaluator', names: true, value: ({ name }) => name },
        { key: 'assessed', title: 'assessed', numeric: true, value: ({ assessed }) => assessed },
        {
          key: 'kappa',
          title: 'blind against final',
          hint: "Cohen's kappa between the blind assessment and the final label",
          numeric: true,
          value: ({ blind_against_final }) => blind_against_final.kappa.value,
          show: ({ blind_against_final }) => <Measured of={blind_against_final.kappa} unit="score" n />,
        },
        {
          key: 'brier',
          title: 'predictions',
          hint: 'Brier score: 0 is a prophet, 0.25 a coin',
          numeric: true,
          value: ({ predictions }) => predictions.brier.value,
          show: ({ predictions }) => <Measured of={predictions.brier} unit="score" n />,
        },
        {
          key: 'signs',
          title: 'signs of bias',
          value: (row) => signs(row).join('; '),
          show: (row) =>
            row.flagged ? (
              <div class="words tone-bad">
                ✗ {signs(row).join('; ') || 'systematically wrong predictions'}
              </div>
            ) : (
              <span class="tone-good">✓ none</span>
            ),
        },
      ]}
    />
  );
}

function Decisions({ check }: { readonly check: Check }) {
  return (
    <Table
      caption="Decisions about findings"
      rows={check.decisions}
      rowKey={({ finding, run, workflow }) => `${finding} ${workflow} ${run}`}
      main
      limit={15}
      columns={[
        {
          key: 'finding',
          title: 'finding',
          names: true,
          value: ({ finding }) => finding,
          show: ({ finding, workflow, run, original }) => (
            <>
              {finding}
              <div class="sub">
                {workflow} · run {run} · {original}
              </div>
            </>
          ),
        },
        { key: 'workflow', title: 'workflow', unseen: true, value: ({ workflow }) => workflow },
        { key: 'run', title: 'run', unseen: true, value: ({ run }) => run },
        { key: 'label', title: 'decision', value: ({ decision }) => decision?.match },
        { key: 'error', title: 'error', value: ({ decision }) => decision?.error },
        { key: 'state', title: 'how', value: ({ state }) => state },
        {
          key: 'reason',
          title: 'why',
          value: ({ labels }) => labels.map(({ by, reason }) => `${by}: ${reason ?? ''}`).join('; '),
          show: ({ labels }) => (
            <div class="words clamp">
              {labels.map(({ by, reason }) => `${by}: ${reason ?? ''}`).join('; ')}
            </div>
          ),
        },
      ]}
    />
  );
}
