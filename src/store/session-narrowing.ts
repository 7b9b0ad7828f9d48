/** What questions about sessions are narrowed by: the same words for single sessions and for sums over them. */
export type InProjects = {
  /** Only sessions of these projects (named-project.ts); an empty list matches none. */
  readonly inProjects?: readonly string[];
  /** Only what has one of these names whole, not those that end in it. */
  readonly isExact?: boolean;
};

export type SessionNarrowing = InProjects & {
  readonly source?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly taskType?: string;
  readonly project?: string;
  /** A project that a person names so (named-project.ts). */
  readonly projectNamed?: string;
  /** The agent or the source, in any case of letters. */
  readonly agentOrSource?: string;
  /** A part of the name of any model it used, in any case of letters. */
  readonly modelPart?: string;
};
