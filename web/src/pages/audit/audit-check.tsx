import './audit.css';
import { formatAmount, formatDate } from '../../../../src/report/number.ts';
import type { Resource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { timeOfDay } from '../../parts/time.ts';
import { choose, place } from '../../router/location.ts';
import type { AuditVerification } from './shapes.ts';

export type AuditCheck = Resource<AuditVerification>;

const isSound = ({ faults, has_asked }: AuditVerification): boolean =>
  faults.length === 0 && has_asked !== false;

/** Whether the log is as it was written, in a sentence. */
export function CheckLead({ check: { data, problem } }: { readonly check: AuditCheck }) {
  if (data === undefined)
    return <>{problem === undefined ? 'Every entry is being looked at …' : 'Who did what, newest first.'}</>;
  if (data.entries === 0 && data.has_asked !== false) return <>Nothing is written down yet.</>;
  const told = formatAmount(data.entries, 'entry', 'entries');
  return isSound(data) ? (
    <>
      <span class="tone-good">✓</span> {told}: each fits the one before it.
    </>
  ) : (
    <>
      <span class="tone-bad">✗</span> {told}, and the log is not as it was written: something was altered or
      removed.
    </>
  );
}

/** What does not fit, and what is to be kept to notice more. */
export function CheckCard({ check }: { readonly check: AuditCheck }) {
  const isUnseen = check.problem?.status === 403 && check.data === undefined;
  return (
    <Card title="Is it as it was written?" aside={<Again check={check} />}>
      {isUnseen ? (
        <Empty>
          Only who sees all projects can tell: in the log of some, entries of the others would look removed.
        </Empty>
      ) : (
        <Show of={check} rows={2}>
          {(told) => <Told told={told} />}
        </Show>
      )}
    </Card>
  );
}

function Again({ check: { loading, at, reload } }: { readonly check: AuditCheck }) {
  if (loading) return <span role="status">looking at every entry …</span>;
  return (
    <>
      {at !== undefined && `as of ${timeOfDay(at)} `}
      <button type="button" class="chip" onClick={reload}>
        Look again
      </button>
    </>
  );
}

function Told({ told }: { readonly told: AuditVerification }) {
  const { head, has_asked, faults } = told;
  return (
    <div class="audit-check">
      {has_asked === true && (
        <p>
          <span class="tone-good">✓</span> The entry of the head that you kept is there.
        </p>
      )}
      {!isSound(told) && (
        <ul class="notes">
          {has_asked === false && (
            <li>The entry of the head that you kept is not there: the end was cut off, or it is old.</li>
          )}
          {faults.map(({ id, at, what }) => (
            <li key={id}>
              {formatDate(at)}, {id}: {what}
            </li>
          ))}
        </ul>
      )}
      <p class="sub">
        Each entry names the one before it, so that one that was altered or removed is noticed. Whoever can
        write to the store can write the whole log anew: keep the head elsewhere, and give it here later.
      </p>
      {head !== null && (
        <p class="sub">
          The head is now <code>{head}</code>
        </p>
      )}
      <label class="field">
        A head that you kept
        <input
          maxLength={300}
          value={place.value.query.get('head') ?? ''}
          onChange={({ currentTarget }) => choose({ head: currentTarget.value.trim() })}
        />
      </label>
    </div>
  );
}
