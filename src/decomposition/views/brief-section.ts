import { type Action, carry, type Given } from '../../report/action.ts';
import type { Link, LinksBlock, TableBlock } from '../../report/view.ts';

/** One point of a documented review: findings in sentences, with a table of examples. */
export type BriefSection = {
  readonly id: string;
  readonly title: string;
  readonly says: readonly string[];
  /** Why there is no result, and how to change that. */
  readonly missing?: string;
  readonly table?: TableBlock;
  readonly links?: readonly BriefLink[];
};

/** A page of the dashboard, and the equivalent command if there is one. */
type BriefLink = { readonly text: string; readonly path: string; readonly does?: Action };

type SectionBody = Omit<BriefSection, 'id' | 'title' | 'missing'>;

/** Text instead of a body explains why there is none. */
export function section(id: string, title: string, body: string | SectionBody): BriefSection {
  return typeof body === 'string' ? { id, title, says: [], missing: body } : { id, title, ...body };
}

export const NO_REQUESTS =
  'No request was recorded. Wrap your function with monitor() of the library, or POST to /api/v1/decompositions of assay serve.';
export const NO_SAMPLE =
  'No request was sampled. production.sampleRate sets the share; texts and outputs must be sent with the records.';
export const NO_FEEDBACK =
  'No user feedback yet. Send thumbs or stars to the server with the id of the request.';

/** Nobody follows more links on one page. */
const MOST_LINKS = 12;

export const PRODUCTION_PAGE: BriefLink = { text: 'In production', path: '/decomposition/production' };
export const ALERTS_PAGE: BriefLink = { text: 'Alerts', path: '/alerts' };
export const ACTIVITY_PAGE: BriefLink = { text: 'What was decided', path: '/decomposition/activity' };

export function requestLinks(ids: readonly string[]): BriefLink[] {
  return [...new Set(ids)].slice(0, MOST_LINKS).map((id) => ({
    text: id,
    path: `/decomposition/production/rate?id=${encodeURIComponent(id)}`,
    does: { operation: 'production rate', positionals: [id] },
  }));
}

export function caseLink(runId: string, caseId: string): BriefLink {
  return {
    text: `${caseId} in ${runId}`,
    path: `/decomposition/runs/${encodeURIComponent(runId)}/cases/${encodeURIComponent(caseId)}`,
  };
}

/** Without a dashboard address, only links with a command are shown. */
export function linksOf(
  { links = [] }: BriefSection,
  dashboard: string | undefined,
  given: Given,
): LinksBlock[] {
  const made = links.flatMap((link): Link[] => {
    if (dashboard !== undefined) return [{ text: link.text, to: addressOf(dashboard, link) }];
    return link.does === undefined ? [] : [{ text: link.text, does: carried(link.does, given) }];
  });
  return made.length === 0 ? [] : [{ kind: 'links', links: made }];
}

/** A dashboard may be served below a path prefix. */
export function addressOf(dashboard: string, { path }: Pick<BriefLink, 'path'>): string {
  return `${dashboard.replace(/(?<!\/)\/+$/, '')}${path}`;
}

function carried(does: Action, given: Given): Action {
  return { ...does, options: carry(given, ['store', 'config']) };
}
