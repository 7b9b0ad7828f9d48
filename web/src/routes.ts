/** The pages: a path, what the rail calls it, and the code of the page, which is loaded when it is first opened. */
import type { ComponentType } from 'preact';

export type PageProps = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
};

export type Route = {
  readonly path: string;
  /** The entry of the rail that is marked on this page. */
  readonly section: string;
  readonly load: () => Promise<ComponentType<PageProps>>;
};

/** What the rail shows, in this order. */
export const SECTIONS: readonly { readonly path: string; readonly name: string }[] = [
  { path: '/', name: 'Overview' },
  { path: '/sessions', name: 'Sessions' },
  { path: '/decomposition', name: 'Decomposition' },
  { path: '/workflow', name: 'Workflow' },
  { path: '/alerts', name: 'Alerts' },
];

export const ROUTES: readonly Route[] = [
  {
    path: '/',
    section: '/',
    load: async () => (await import('./pages/overview/overview-page.tsx')).OverviewPage,
  },
  {
    path: '/sessions',
    section: '/sessions',
    load: async () => (await import('./pages/sessions/sessions-page.tsx')).SessionsPage,
  },
  {
    path: '/sessions/:key',
    section: '/sessions',
    load: async () => (await import('./pages/session/session-page.tsx')).SessionPage,
  },
  {
    path: '/sessions/:key/rate',
    section: '/sessions',
    load: async () => (await import('./pages/rate/rate-page.tsx')).RatePage,
  },
  {
    path: '/rate',
    section: '/sessions',
    load: async () => (await import('./pages/rate/next-page.tsx')).NextPage,
  },
  {
    path: '/calibration',
    section: '/sessions',
    load: async () => (await import('./pages/calibration/calibration-page.tsx')).CalibrationPage,
  },
];
