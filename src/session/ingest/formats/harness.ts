/**
 * Results of benchmark runs in the reports of their harnesses. Each harness is one file: it detects its reports by
 * content and turns them into labels. A run that the harness could not judge has none: missing is not failed.
 */
export type HarnessLabel = {
  /** 0 to 1. */
  readonly outcome: number;
  readonly task?: string;
  readonly of: LabelledBy;
};

/** How the session of a label is found: by its id, by the folder of its trial, or by the instance it worked on. */
export type LabelledBy =
  | { readonly session: string }
  | { readonly folder: string }
  | { readonly instance: string };

export type Harness = {
  readonly name: string;
  /** Undefined: the document is none of its reports. */
  readonly labels: (document: unknown, path: string) => readonly HarnessLabel[] | undefined;
  /** For reports that are no JSON. */
  readonly archive?: (path: string) => readonly HarnessLabel[] | undefined;
};
