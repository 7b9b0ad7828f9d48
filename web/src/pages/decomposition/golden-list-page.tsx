import './decomposition.css';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Show } from '../../parts/states.tsx';
import { goldenHref } from './addresses.ts';
import type { GoldenList } from './shapes.ts';

/** The golden cases of the folder, drafts first. */
export function GoldenListPage() {
  const list = useResource<GoldenList>('golden');
  const drafts = list.data?.cases.filter(({ draft }) => draft).length ?? 0;
  const lead =
    list.data === undefined
      ? undefined
      : `${list.data.cases.length} cases${drafts > 0 ? `, ${drafts} of them drafts to correct` : ''}.`;
  return (
    <Page title="Golden cases" lead={lead}>
      <Show of={list} rows={8}>
        {({ cases }) => (
          <Card title="Cases" aside={<code>assay golden import</code>}>
            {cases.length === 0 ? (
              <p class="sub">No golden cases yet. Draft them with `assay golden import FILE`.</p>
            ) : (
              <table>
                <thead>
                  <tr>
                    <th scope="col">case</th>
                    <th scope="col">topic</th>
                    <th scope="col">domain</th>
                    <th scope="col">version</th>
                    <th scope="col">concepts</th>
                    <th scope="col">relationships</th>
                    <th scope="col">lint</th>
                  </tr>
                </thead>
                <tbody>
                  {cases
                    .toSorted((a, b) => Number(b.draft) - Number(a.draft) || (a.id < b.id ? -1 : 1))
                    .map((one) => (
                      <tr key={one.id}>
                        <td>
                          <a href={goldenHref(one.id)}>{one.id}</a>
                        </td>
                        <td>{one.topic}</td>
                        <td>{one.domain}</td>
                        <td>{one.draft ? '▲ draft' : one.version}</td>
                        <td>{one.n_concepts}</td>
                        <td>{one.n_relationships}</td>
                        <td>{one.n_findings === 0 ? '✓' : one.n_findings}</td>
                      </tr>
                    ))}
                </tbody>
              </table>
            )}
          </Card>
        )}
      </Show>
    </Page>
  );
}
