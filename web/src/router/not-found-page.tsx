import { Page } from '../parts/page.tsx';

export function NotFoundPage() {
  return (
    <Page title="Nothing here">
      <p>
        No page has this address. <a href="/">The overview</a> leads to all of them.
      </p>
    </Page>
  );
}
