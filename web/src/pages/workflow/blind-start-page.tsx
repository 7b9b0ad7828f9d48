import '../quality.css';
import './workflow.css';
import { useState } from 'preact/hooks';
import { post } from '../../api/client.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Form, TextField, useSending } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { go } from '../../router/location.ts';
import { blindHref } from './addresses.ts';
import type { Evaluations } from './shapes.ts';

type Source = {
  readonly name: string;
  readonly truth: string;
  readonly documents: string | null;
  readonly runs: readonly string[];
};

/** Freezes the findings and seals the ground truth: nobody sees it before their turn. */
export function BlindStartPage() {
  const found = useResource<Evaluations>('workflow/experiments');
  return (
    <Page
      title="Start a blind evaluation"
      lead="The findings are frozen and the ground truth is sealed, so that nobody is led by what they should find."
      actions={
        <a class="chip" href="/workflow">
          all evaluations
        </a>
      }
    >
      <Card title="What is evaluated">
        <Show of={found}>
          {(data) => {
            const sources = sourcesOf(data);
            return sources.length === 0 ? (
              <Empty command="assay workflow blind start --help">
                No experiment with runs is below the folder that is served. A command starts one from any
                files:
              </Empty>
            ) : (
              <StartForm sources={sources} taken={data.blind.map(({ path }) => path)} />
            );
          }}
        </Show>
      </Card>
    </Page>
  );
}

/** One choice for each task, and one for each of its workflows. */
function sourcesOf({ experiments }: Evaluations): readonly Source[] {
  return experiments.flatMap(({ name, path, arms }) => {
    const tasks = Map.groupBy(arms, ({ task }) => task);
    return [...tasks].flatMap(([task, own]) => {
      const of = (label: string, some: typeof own): Source => ({
        name: `${name ?? path}: ${task}, ${label}`,
        truth: some[0]?.truth ?? '',
        documents: some[0]?.documents ?? null,
        runs: some.flatMap(({ runs }) => runs),
      });
      return [
        ...(own.length > 1 ? [of('all workflows', own)] : []),
        ...own.map((arm) => of(arm.workflow, [arm])),
      ];
    });
  });
}

function freeName(taken: readonly string[]): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'blind' : `blind-${n}`;
    if (!taken.includes(name)) return name;
  }
}

function StartForm({
  sources,
  taken,
}: {
  readonly sources: readonly Source[];
  readonly taken: readonly string[];
}) {
  const [chosen, setChosen] = useState(0);
  const [folder, setFolder] = useState(freeName(taken));
  const [by, setBy] = useState('');
  const [evaluators, setEvaluators] = useState('');
  const sending = useSending();
  const start = () =>
    sending.send(async () => {
      const source = sources[chosen];
      if (source === undefined) return;
      const { truth, documents, runs } = source;
      const named = evaluators.split(',').map((name) => name.trim());
      await post('workflow/blind/start', {
        folder: folder.trim(),
        by: by.trim(),
        truth,
        runs,
        ...(documents !== null && { documents }),
        evaluators: named.filter((name) => name !== ''),
      });
      go(blindHref(folder.trim()));
    });
  return (
    <Form sending={sending} submit="Freeze and seal" onSubmit={start}>
      <label class="field">
        Reviews
        <select
          value={String(chosen)}
          onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
        >
          {sources.map(({ name, runs }, index) => (
            <option key={name} value={String(index)}>
              {`${name} (${runs.length} runs)`}
            </option>
          ))}
        </select>
      </label>
      <TextField label="Folder for the evaluation" value={folder} required onType={setFolder} />
      <TextField label="Who starts it" value={by} required onType={setBy} />
      <TextField
        label="Evaluators, separated by commas: the results stay closed until all of them are done"
        value={evaluators}
        maxLength={2000}
        onType={setEvaluators}
      />
    </Form>
  );
}
