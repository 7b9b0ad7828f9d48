/** The blind protocol, step by step: the page shows only the current step, and the server refuses any other. */
import '../quality.css';
import './workflow.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatAmount } from '../../../../src/report/number.ts';
import type { View as ViewOf } from '../../../../src/report/view.ts';
import { asProblem, type Problem, post, VIEW_TYPE } from '../../api/client.ts';
import { useResource, useView } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Form, TextField, useSending } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Command, Empty, Failed, Loading, Show } from '../../parts/states.tsx';
import { Section, View, ViewLead } from '../../parts/view.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import type { Desk } from './shapes.ts';
import { AssessStep, type At, MatchStep, PredictStep, type Refused, type StepProps } from './step-form.tsx';

const STEPS = [
  ['assess', '1 Assess findings blind'],
  ['predict', '2 Predict what was caught'],
  ['match', '3 Match by objective criteria'],
  ['check', '4 Check for bias'],
] as const;

export function BlindPage({ query }: PageProps) {
  const [folder, by] = [query.get('folder') ?? '', query.get('by') ?? ''];
  const status = useView(folder === '' ? undefined : 'workflow/blind/status', { folder });
  const desk = useResource<Desk>(folder === '' || by === '' ? undefined : 'workflow/blind/desk', {
    folder,
    by,
  });
  const [receipt, setReceipt] = useState<string>();
  const [refused, setRefused] = useState<Refused>();
  const shown = useDesk(desk.data);
  const goOn = () => {
    shown.release();
    desk.reload();
    status.reload();
  };
  const steps: Steps = {
    onTyped: shown.keep,
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
  const lead =
    by === '' ? 'Who evaluates? Each evaluator goes through four steps alone.' : leadOf(shown.desk);
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
          {by !== '' && <Steps now={shown.desk?.step} />}
          {receipt !== undefined && <Receipt text={receipt} />}
          {refused !== undefined && <NotSaved refused={refused} />}
          {by === '' ? (
            <WhoAreYou />
          ) : (
            <Show of={desk} rows={6}>
              {(data) => <Due desk={shown.desk ?? data} steps={steps} />}
            </Show>
          )}
          <Section
            title="Evaluators"
            of={status}
            empty={<p class="sub">No evaluator has started. Only counts are shown here, never answers.</p>}
          />
        </>
      )}
    </Page>
  );
}

type Steps = Pick<StepProps, 'onDone' | 'onTyped' | 'onRefused'>;

/** The current tasks of the evaluator. Unsaved input survives a change in another window; saving reports a conflict. */
function useDesk(latest: Desk | undefined) {
  const shown = useRef(latest);
  const isHeld = useRef(false);
  const isOther = shown.current?.by !== latest?.by || shown.current?.folder !== latest?.folder;
  if (!isHeld.current || isOther) {
    isHeld.current = false;
    shown.current = latest;
  }
  return {
    desk: shown.current,
    keep: () => {
      isHeld.current = true;
    },
    release: () => {
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

function WhoAreYou() {
  const [name, setName] = useState('');
  return (
    <Card title="Who evaluates?">
      <Form
        sending={{ busy: false, problem: undefined }}
        submit="Go on"
        onSubmit={() => choose({ by: name.trim() })}
      >
        <TextField label="Your name, as it goes into the record" value={name} required onType={setName} />
      </Form>
    </Card>
  );
}

/**
 * Step 4: opening the results ends the evaluation, so the evaluators who are excluded and the open questions are shown
 * first.
 */
function CheckStep({
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
  const sending = useSending();
  const open = () =>
    sending.send(async () => {
      const left = without ? waiting : [];
      await post('workflow/blind/check', { ...at, without: left, leave_disputes: leave });
      onDone();
    });
  return (
    <Card title="Step 4: open the results">
      <Form sending={sending} submit="Open the results" onSubmit={open}>
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
      </Form>
    </Card>
  );
}

function Results({ at }: { readonly at: At }) {
  const [check, setCheck] = useState<ViewOf>();
  const [problem, setProblem] = useState<Problem>();
  // Reading open results again changes nothing.
  useEffect(() => {
    post<ViewOf>('workflow/blind/check', at, VIEW_TYPE).then(setCheck, (fault: unknown) =>
      setProblem(asProblem(fault)),
    );
  }, [at.folder, at.by]);
  if (problem !== undefined) return <Failed title={problem.message} detail={problem.detail} />;
  if (check === undefined) return <Loading rows={6} />;
  return (
    <>
      <p>
        <ViewLead of={check} />
      </p>
      <View of={check} main="Decisions about findings" />
    </>
  );
}
