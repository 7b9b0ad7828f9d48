import { useEffect, useState } from 'preact/hooks';
import { formatAmount } from '../../../../src/report/number.ts';
import { post } from '../../api/client.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { Card } from '../../parts/card.tsx';
import { Measured } from '../../parts/measured.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import type { Check } from './shapes.ts';
import type { At } from './step-form.tsx';

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
        { key: 'name', header: 'evaluator', names: true, value: ({ name }) => name },
        { key: 'assessed', header: 'assessed', numeric: true, value: ({ assessed }) => assessed },
        {
          key: 'kappa',
          header: 'blind against final',
          hint: "Cohen's kappa between the blind assessment and the final label",
          numeric: true,
          value: ({ blind_against_final }) => blind_against_final.kappa.value,
          show: ({ blind_against_final }) => <Measured of={blind_against_final.kappa} unit="score" n />,
        },
        {
          key: 'brier',
          header: 'predictions',
          hint: 'Brier score: 0 is a prophet, 0.25 a coin',
          numeric: true,
          value: ({ predictions }) => predictions.brier.value,
          show: ({ predictions }) => <Measured of={predictions.brier} unit="score" n />,
        },
        {
          key: 'signs',
          header: 'signs of bias',
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
          header: 'finding',
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
        { key: 'workflow', header: 'workflow', unseen: true, value: ({ workflow }) => workflow },
        { key: 'run', header: 'run', unseen: true, value: ({ run }) => run },
        { key: 'label', header: 'decision', value: ({ decision }) => decision?.match },
        { key: 'error', header: 'error', value: ({ decision }) => decision?.error },
        { key: 'state', header: 'how', value: ({ state }) => state },
        {
          key: 'reason',
          header: 'why',
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
