/** What questions about sessions are narrowed by: the same words for single sessions and for sums over them. */
import { isIn, isNamedProject } from '../named-project.ts';
import type { SessionRow } from './session-row.ts';

/** What each session has one of. */
const EQUAL = ['source', 'agent', 'model', 'taskType', 'tier'] as const;

export type InProjects = {
  /** Only what is of a project that is named by one of these (named-project.ts); of none of them, nothing. */
  readonly inProjects?: readonly string[];
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

export type NamedSession = Pick<SessionRow, 'source' | 'taskType'> &
  Partial<Pick<SessionRow, 'agent' | 'model' | 'otherModels' | 'tier'>>;

/** Whether a session with these names fits; undefined when every one does. The project is not asked. */
export function labelTest(
  query: SessionNarrowing & { readonly tier?: string },
): ((named: NamedSession) => boolean) | undefined {
  const equal = EQUAL.filter((name) => query[name] !== undefined);
  const [who, part] = [query.agentOrSource, query.modelPart].map((name) => name?.toLowerCase());
  if (equal.length === 0 && who === undefined && part === undefined) return undefined;
  return (named) =>
    equal.every((name) => named[name] === query[name]) &&
    (who === undefined || [named.agent, named.source].some((name) => name?.toLowerCase() === who)) &&
    (part === undefined || modelsOf(named).some((name) => name.toLowerCase().includes(part)));
}

/** Whether sessions of a project fit; undefined when those of every one do. */
export function projectTest({
  project: exact,
  projectNamed,
  inProjects,
}: SessionNarrowing): ((project: string) => boolean) | undefined {
  if (exact === undefined && projectNamed === undefined && inProjects === undefined) return undefined;
  return (project) =>
    (exact === undefined || project === exact) &&
    (projectNamed === undefined || isNamedProject(project, projectNamed)) &&
    (inProjects === undefined || isIn(project, inProjects));
}

/** Whether names have a text in them, in any case of letters. */
export function searchTest(text: string): {
  readonly label: (named: NamedSession) => boolean;
  readonly project: (project: string) => boolean;
} {
  const part = text.toLowerCase();
  const has = (name: string | undefined) => name?.toLowerCase().includes(part) === true;
  return {
    label: (named) => [named.taskType, named.source, named.agent, ...modelsOf(named)].some(has),
    project: has,
  };
}

/** A shorter beginning of a key is there by chance. */
export const KEY_PART = 8;

function modelsOf({ model, otherModels }: NamedSession): string[] {
  return [...(model === undefined ? [] : [model]), ...(otherModels?.split('\n') ?? [])];
}
