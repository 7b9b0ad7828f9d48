/**
 * What an operation needs from outside and cannot decide itself. A command, a server and a test hand in their own; an
 * operation never looks at the process, its arguments, a terminal or the clock.
 */
import type { AssayError } from '../errors.ts';
import { type ProjectScope, scopedStore } from '../store/scoped-store.ts';
import type { Store } from '../store/store.ts';

export type { ProjectScope };

export type Progress = {
  /** What is in progress, such as the name of the file that is read. */
  readonly what: string;
  readonly done: number;
  readonly total?: number;
  /** What is counted, in the plural: `texts`, `files`. */
  readonly unit: string;
};

export type Ports = {
  /**
   * Opened on first use and closed by whoever made the ports. `looking` creates no store: without one it returns an
   * empty one.
   */
  readonly store: (use?: 'looking') => Promise<Store>;
  readonly now: () => Date;
  /** A new identity of a run. */
  readonly newId: () => string;
  /** Who answers for what is approved, promoted or rated. */
  readonly identity: () => string;
  /** Called often and cheaply; what becomes of it is the caller's affair. */
  readonly progress: (progress: Progress) => void;
  /** Told when the store could not take a result. The result is given all the same: it may have taken hours. */
  readonly reportStorageFailure: (error: AssayError) => void;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
};

/** The same over what is seen of some projects. */
export function ofProjects(ports: Ports, scope: ProjectScope): Ports {
  return { ...ports, store: async (use) => scopedStore(await ports.store(use), scope) };
}
