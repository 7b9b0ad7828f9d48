/** The page of the address. Its code comes when it is first opened; the former page stays until then. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Page } from '../parts/page.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { type PageProps, ROUTES, type Route } from '../routes.ts';
import { place } from './location.ts';
import { matchPath } from './match-path.ts';

type Opened = { readonly route: Route; readonly Page: ComponentType<PageProps> };

export function routeOf(
  path: string,
): { readonly route: Route; readonly params: PageProps['params'] } | undefined {
  for (const route of ROUTES) {
    const params = matchPath(route.path, path);
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

export function Outlet() {
  const { path, query } = place.value;
  const found = routeOf(path);
  const [opened, setOpened] = useState<Opened>();
  const [failed, setFailed] = useState(false);
  const route = found?.route;
  useEffect(() => {
    if (route === undefined) return;
    let wanted = true;
    setFailed(false);
    route.load().then(
      (Page) => wanted && setOpened({ route, Page }),
      () => wanted && setFailed(true),
    );
    return () => {
      wanted = false;
    };
  }, [route]);
  useEffect(() => {
    scrollTo(0, 0);
  }, [path]);
  if (found === undefined) return <NotFoundPage />;
  if (failed)
    return (
      <Failed title="This page could not be loaded" retry={() => location.reload()} command="assay serve" />
    );
  if (opened?.route !== route || opened === undefined) return <Loading rows={6} />;
  return <opened.Page key={path} params={found.params} query={query} />;
}

function NotFoundPage() {
  return (
    <Page title="Nothing here">
      <p>
        No page has this address. <a href="/">The overview</a> leads to all of them.
      </p>
    </Page>
  );
}
