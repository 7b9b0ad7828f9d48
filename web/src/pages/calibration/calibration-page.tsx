/** Does Q agree with people? Every rated session, r with its interval, and how far the raters agree among themselves. */
import { useView } from '../../api/use-resource.ts';
import { useChartsSoon } from '../../parts/chart.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { rowsOf, View, ViewLead } from '../../parts/view.tsx';
import type { PageProps } from '../../routes.ts';
import { namedSession, useSessionNames } from '../sessions/use-session-names.tsx';

const POINTS = 'Rated sessions, furthest apart first';

export function CalibrationPage(_: PageProps) {
  useChartsSoon();
  const calibration = useView('calibration', {}, ['rating.saved', 'session.scored']);
  const rows = calibration.data && rowsOf(calibration.data, POINTS);
  const names = useSessionNames(rows?.map(({ session_key }) => String(session_key)));
  return (
    <Page
      title="Calibration"
      live
      lead={calibration.data && <ViewLead of={calibration.data} />}
      actions={
        <a class="chip on" href="/rate">
          Rate a session
        </a>
      }
    >
      <Show of={calibration} rows={8}>
        {(data) =>
          data.blocks.length === 0 ? (
            <Empty command="assay sessions rate">
              No session is rated yet. Rate some here, without seeing their score, or in a terminal with
            </Empty>
          ) : (
            <View of={data} main={POINTS} {...namedSession(names, 'session_id')} />
          )
        }
      </Show>
    </Page>
  );
}
