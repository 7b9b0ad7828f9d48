/** What is remembered between the records of an OpenCode session. */
import type { FileInfo } from '../format.ts';

export type OpencodeState = {
  readonly path: string;
  session: string | undefined;
  subagent: boolean;
  /** A compaction was told of, and its summary is still to come. */
  compacting: boolean;
};

export function startOpencode({ path }: FileInfo): OpencodeState {
  return { path, session: undefined, subagent: false, compacting: false };
}
