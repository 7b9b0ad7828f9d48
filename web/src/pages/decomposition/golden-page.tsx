import './decomposition.css';
import './golden.css';
import { useEffect, useState } from 'preact/hooks';
import { post } from '../../api/client.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Form, TextField, useSending } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Show } from '../../parts/states.tsx';
import type { PageProps } from '../../routes.ts';
import { namedText } from './golden-text.ts';
import type { GoldenEdit, GoldenSaved } from './shapes.ts';

type Lists = Pick<
  GoldenEdit,
  'concepts' | 'relationships' | 'forbidden_concepts' | 'forbidden_relationships'
>;

/** Corrects one golden case: its text with the concepts in it, near misses, relationships, two readers. */
export function GoldenPage({ params: { id = '' } }: PageProps) {
  const edit = useResource<GoldenEdit>(`golden/${encodeURIComponent(id)}`);
  return (
    <Show of={edit} rows={12}>
      {(data) => <Editor key={data.sha256} edit={data} reload={edit.reload} />}
    </Show>
  );
}

function Editor({ edit, reload }: { readonly edit: GoldenEdit; readonly reload: () => void }) {
  const path = `golden/${encodeURIComponent(edit.id)}`;
  const [lists, setLists] = useState<Lists>(edit);
  const [corrected, setCorrected] = useState(false);
  const [reader, setReader] = useState('');
  const [agreement, setAgreement] = useState(edit.agreement);
  const [said, setSaid] = useState('');
  const [rejected, setRejected] = useState<readonly string[]>([]);
  const saving = useSending();
  const reading = useSending();
  const save = () =>
    saving.send(async () => {
      const { concepts, relationships, forbidden_concepts, forbidden_relationships } = lists;
      const body = { concepts, relationships, forbidden_concepts, forbidden_relationships };
      const saved = await post<GoldenSaved>(path, { based_on: edit.sha256, corrected, ...body });
      setSaid(saved.changed ? `Saved as version ${saved.version}.` : 'Nothing changed.');
      reload();
    });
  const saveReading = () =>
    reading.send(async () => {
      const body = {
        by: reader,
        concepts: lists.concepts.map(({ label }) => label),
        relationships: lists.relationships.map(({ source, target, predicate }) => ({
          source,
          target,
          predicate,
        })),
      };
      setAgreement((await post<GoldenEdit>(`${path}/readings`, body)).agreement);
    });
  const near = edit.near_misses.filter(
    ({ label }) => !rejected.includes(label) && !lists.concepts.some((one) => one.aliases.includes(label)),
  );
  const loose = lists.relationships.filter(({ predicate }) => predicate === 'RELATES_TO').length;
  return (
    <Page
      title={edit.topic}
      lead={
        <>
          {lists.concepts.length} concepts and {lists.relationships.length} relationships.{' '}
          <b>
            {near.length === 0 ? 'No near misses to decide' : `${near.length} near misses to decide`}, {loose}{' '}
            relationships without a type.
          </b>
        </>
      }
      actions={
        <>
          <span class="chip">{edit.draft === null ? `version ${edit.version}` : 'draft'}</span>
          {agreement !== null && (
            <span class="chip" data-hint={`over ${agreement.items} items`}>
              κ {agreement.kappa === null ? '–' : agreement.kappa.toFixed(2)} of{' '}
              {agreement.between.join(' and ')}
            </span>
          )}
          {edit.draft !== null && (
            <label class="chip">
              <input type="checkbox" checked={corrected} onChange={() => setCorrected(!corrected)} /> no draft
              any more
            </label>
          )}
          <button type="button" class="primary" disabled={saving.busy} onClick={save}>
            Save as next version
          </button>
        </>
      }
    >
      <p role="status" class="sub">
        {saving.problem === undefined ? said : `${saving.problem.message} ${saving.problem.detail ?? ''}`}
      </p>
      <div class="grid g2">
        <div>
          <Words text={edit.text} lists={lists} setLists={setLists} />
          <Relationships lists={lists} setLists={setLists} predicates={edit.predicates} />
        </div>
        <div>
          <Card title="Near misses" aside="from recent runs">
            {near.length === 0 && <p class="sub">None.</p>}
            <ul class="plain">
              {near.map(({ label, expected, runs, of }) => (
                <li key={label} class="row">
                  <span>
                    <b>{label}</b> for “{expected}”, in {runs} of {of} runs
                  </span>
                  <button
                    type="button"
                    class="chip"
                    onClick={() => setLists(withAlias(lists, expected, label))}
                  >
                    alias
                  </button>
                  <button type="button" class="chip" onClick={() => setRejected([...rejected, label])}>
                    wrong
                  </button>
                </li>
              ))}
            </ul>
          </Card>
          <Concepts lists={lists} setLists={setLists} />
          <Card title="Lint" aside={`${edit.findings.length} findings, as stored`}>
            <ul class="plain">
              {edit.findings.map(({ place, message, severity }) => (
                <li key={`${place} ${message}`}>
                  {severity === 'warning' ? '▲' : '✗'} {place} {message}
                </li>
              ))}
            </ul>
          </Card>
          <Card title="Two readers" aside={edit.readers.join(', ')}>
            <Form
              sending={reading}
              submit="Store as my reading"
              disabled={reader.trim() === ''}
              onSubmit={saveReading}
            >
              <TextField label="Annotator" value={reader} onType={setReader} required />
            </Form>
          </Card>
        </div>
      </div>
    </Page>
  );
}

type Part = { readonly lists: Lists; readonly setLists: (lists: Lists) => void };

function withAlias(lists: Lists, label: string, alias: string): Lists {
  const concepts = lists.concepts.map((one) =>
    one.label === label ? { ...one, aliases: [...one.aliases, alias] } : one,
  );
  return { ...lists, concepts };
}

function withConcept(lists: Lists, label: string): Lists {
  const name = label.trim().replace(/\s+/g, ' ');
  if (name === '' || lists.concepts.some((one) => one.label === name)) return lists;
  return { ...lists, concepts: [...lists.concepts, { label: name, aliases: [], required: true }] };
}

/** Relates two concepts unless they are related already. */
function withEdge(lists: Lists, source: string, target: string): Lists {
  const known = lists.relationships.some((one) => one.source === source && one.target === target);
  if (known || source === target) return lists;
  const edge = { source, target, predicate: 'RELATES_TO', required: true, evidence: null };
  return { ...lists, relationships: [edge, ...lists.relationships] };
}

function Words({ text, lists, setLists }: Part & { readonly text: string }) {
  const [selected, setSelected] = useState('');
  const [from, setFrom] = useState<string>();
  const pick = (label: string) => {
    if (from === undefined) return setFrom(label);
    setLists(withEdge(lists, from, label));
    setFrom(undefined);
  };
  useEffect(() => {
    const stop = ({ key }: KeyboardEvent) => key === 'Escape' && setFrom(undefined);
    addEventListener('keydown', stop);
    return () => removeEventListener('keydown', stop);
  }, []);
  return (
    <Card
      title="Text"
      aside="Select words to add a concept. Drag one concept to another to relate them, or press Enter on both."
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only reads what was selected; the field below does the same. */}
      <div class="source-text" onMouseUp={() => setSelected(String(getSelection() ?? '').trim())}>
        {namedText(text, lists.concepts).map(({ from: at, text: words, label }) =>
          label === undefined ? (
            <span key={at}>{words}</span>
          ) : (
            <button
              key={at}
              type="button"
              class={`named${from === label ? ' source' : ''}`}
              draggable
              aria-pressed={from === label}
              data-hint={label}
              onDragStart={({ dataTransfer }) => dataTransfer?.setData('text/plain', label)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                setLists(withEdge(lists, event.dataTransfer?.getData('text/plain') ?? '', label));
              }}
              onClick={() => pick(label)}
            >
              {words}
            </button>
          ),
        )}
      </div>
      <p class="row" role="status">
        {from !== undefined && `From “${from}”: choose the concept it relates to, or press Escape.`}
      </p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          setLists(withConcept(lists, selected));
          setSelected('');
        }}
      >
        <TextField label="New concept" value={selected} onType={setSelected} />
        <button type="submit" class="chip" disabled={selected === ''}>
          add
        </button>
      </form>
    </Card>
  );
}

function Relationships({ lists, setLists, predicates }: Part & { readonly predicates: readonly string[] }) {
  const change = (at: number, predicate: string) =>
    setLists({
      ...lists,
      relationships: lists.relationships.map((one, i) => (i === at ? { ...one, predicate } : one)),
    });
  const remove = (at: number) =>
    setLists({ ...lists, relationships: lists.relationships.filter((_, i) => i !== at) });
  return (
    <Card title="Relationships" aside={`${lists.relationships.length}`}>
      <ul class="plain edges">
        {lists.relationships.map(({ source, target, predicate }, at) => (
          <li key={`${source} ${target} ${predicate}`} class="row">
            <span>{source}</span>
            <select
              aria-label={`What ${source} has to do with ${target}`}
              value={predicate}
              onChange={({ currentTarget }) => change(at, currentTarget.value)}
            >
              {predicates.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
            <span>{target}</span>
            <button
              type="button"
              class="chip"
              onClick={() => remove(at)}
              aria-label={`Remove ${source} ${predicate} ${target}`}
            >
              remove
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Concepts({ lists, setLists }: Part) {
  const toggle = (label: string) =>
    setLists({
      ...lists,
      concepts: lists.concepts.map((one) =>
        one.label === label ? { ...one, required: !one.required } : one,
      ),
    });
  const reject = (label: string) =>
    setLists({
      ...lists,
      concepts: lists.concepts.filter((one) => one.label !== label),
      relationships: lists.relationships.filter(({ source, target }) => source !== label && target !== label),
      forbidden_relationships: lists.forbidden_relationships.filter(
        ({ source, target }) => source !== label && target !== label,
      ),
    });
  return (
    <Card title="Concepts" aside={`${lists.concepts.length}`}>
      <ul class="plain">
        {lists.concepts.map(({ label, aliases, required }) => (
          <li key={label} class="row">
            <span data-hint={aliases.join(', ')}>
              {label}
              {aliases.length > 0 && (
                <small> · {aliases.length === 1 ? '1 alias' : `${aliases.length} aliases`}</small>
              )}
            </span>
            <button type="button" class="chip" aria-pressed={required} onClick={() => toggle(label)}>
              {required ? 'required' : 'optional'}
            </button>
            <button type="button" class="chip" onClick={() => reject(label)} aria-label={`Reject ${label}`}>
              reject
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
