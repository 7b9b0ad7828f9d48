import type { Action } from '../../report/action.ts';
import type { TableBlock } from '../../report/document.ts';

/** One point of a documented review: what is found, in sentences, with a table of examples. */
export type BriefSection = {
  /** What programs know it by. */
  readonly id: string;
  /** As the documented checklist asks for it. */
  readonly title: string;
  readonly says: readonly string[];
  /** Why nothing can be said, and how to change that. */
  readonly missing?: string;
  readonly table?: TableBlock;
  readonly links?: readonly BriefLink[];
};

/** A page of the dashboard, and the command that shows the same where there is one. */
export type BriefLink = { readonly text: string; readonly path: string; readonly does?: Action };

export function missing(id: string, title: string, why: string): BriefSection {
  return { id, title, says: [], missing: why };
}

export const NO_REQUESTS =
  'No request was recorded. Wrap your function with monitor() of the library, or POST to /api/v1/decompositions of assay serve.';
export const NO_SAMPLE =
  'No request was sampled. production.sampleRate says how many are; texts and outputs must be sent with the records.';
export const NO_FEEDBACK =
  'No user said anything. Send thumbs or stars to the server with the id of the request they are about.';
