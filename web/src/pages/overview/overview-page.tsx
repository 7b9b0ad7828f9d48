import { Page } from '../../parts/page.tsx';
import type { PageProps } from '../../routes.ts';

export function OverviewPage(_: PageProps) {
  return (
    <Page title="Overview" live>
      <p>
        <a href="/sessions">Sessions</a>
      </p>
    </Page>
  );
}
