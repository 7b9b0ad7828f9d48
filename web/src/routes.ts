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

/** Places within the sections that the palette finds by name. */
export const PLACES: readonly { readonly path: string; readonly name: string }[] = [
  { path: '/sessions?view=time', name: 'Sessions: over time' },
  { path: '/sessions?view=groups', name: 'Sessions: by project, model, agent' },
  { path: '/sessions?view=worth', name: 'Sessions: cost and quality, which model for which work' },
  { path: '/sessions?view=outcomes', name: 'Sessions: outcomes' },
  { path: '/sessions?view=risks', name: 'Sessions: risky actions' },
  { path: '/rate', name: 'Rate a session' },
  { path: '/decomposition/production', name: 'Decomposition: in production' },
  { path: '/decomposition/golden', name: 'Decomposition: golden cases' },
  { path: '/decomposition/activity', name: 'Decomposition: latency, cost, errors' },
  { path: '/workflow/blind/new', name: 'Workflow: start a blind evaluation' },
  { path: '/audit', name: 'Audit log: who did what' },
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
  {
    path: '/decomposition',
    section: '/decomposition',
    load: async () => (await import('./pages/decomposition/decomposition-page.tsx')).DecompositionPage,
  },
  {
    path: '/decomposition/golden',
    section: '/decomposition',
    load: async () => (await import('./pages/decomposition/golden-list-page.tsx')).GoldenListPage,
  },
  {
    path: '/decomposition/golden/:id',
    section: '/decomposition',
    load: async () => (await import('./pages/decomposition/golden-page.tsx')).GoldenPage,
  },
  {
    path: '/decomposition/compare',
    section: '/decomposition',
    load: async () => (await import('./pages/decomposition/compare-page.tsx')).ComparePage,
  },
  {
    path: '/decomposition/activity',
    section: '/decomposition',
    load: async () => (await import('./pages/decomposition/activity-page.tsx')).ActivityPage,
  },
  {
    path: '/decomposition/production',
    section: '/decomposition',
    load: async () => (await import('./pages/decomposition/production-page.tsx')).ProductionPage,
  },
  {
    path: '/decomposition/production/rate',
    section: '/decomposition',
    load: async () => (await import('./pages/decomposition/rate-outputs-page.tsx')).RateOutputsPage,
  },
  {
    path: '/decomposition/runs/:id',
    section: '/decomposition',
    load: async () => (await import('./pages/decomposition/run-page.tsx')).RunPage,
  },
  {
    path: '/decomposition/runs/:id/cases/:case',
    section: '/decomposition',
    load: async () => (await import('./pages/decomposition/case-page.tsx')).CasePage,
  },
  {
    path: '/workflow',
    section: '/workflow',
    load: async () => (await import('./pages/workflow/workflow-page.tsx')).WorkflowPage,
  },
  {
    path: '/workflow/experiment',
    section: '/workflow',
    load: async () => (await import('./pages/workflow/experiment-page.tsx')).ExperimentPage,
  },
  {
    path: '/workflow/compare',
    section: '/workflow',
    load: async () => (await import('./pages/workflow/compare-page.tsx')).WorkflowComparePage,
  },
  {
    path: '/workflow/blind',
    section: '/workflow',
    load: async () => (await import('./pages/workflow/blind-page.tsx')).BlindPage,
  },
  {
    path: '/workflow/blind/new',
    section: '/workflow',
    load: async () => (await import('./pages/workflow/blind-start-page.tsx')).BlindStartPage,
  },
  {
    path: '/alerts',
    section: '/alerts',
    load: async () => (await import('./pages/alerts/alerts-page.tsx')).AlertsPage,
  },
  {
    path: '/alerts/:id',
    section: '/alerts',
    load: async () => (await import('./pages/alerts/alert-page.tsx')).AlertPage,
  },
  {
    path: '/audit',
    section: '/alerts',
    load: async () => (await import('./pages/audit/audit-page.tsx')).AuditPage,
  },
];
