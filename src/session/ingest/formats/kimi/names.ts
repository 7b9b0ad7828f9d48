/** Which session a file belongs to is said by its path alone. */
import { dirname, join } from 'node:path';

export type KimiNames = { readonly session?: string; readonly agent?: string };

const CODE = /[\\/](session_[^\\/]+)[\\/]agents[\\/]([^\\/]+)[\\/]wire\.jsonl$/;
const CHILD = /[\\/]([^\\/]+)[\\/]subagents[\\/]([^\\/]+)[\\/]wire\.jsonl$/;
const MAIN = /[\\/]sessions[\\/][^\\/]+[\\/]([^\\/]+)[\\/]wire\.jsonl$/;

/** `agent`: the sub-agent, when it is one. */
export function namesOf(path: string): KimiNames {
  const [, session, agent] = CODE.exec(path) ?? CHILD.exec(path) ?? MAIN.exec(path) ?? [];
  if (session === undefined) return {};
  return agent === undefined || agent === 'main' ? { session } : { session, agent };
}

/** Holds the folder that a session of Kimi Code works in. */
export function statePath(path: string): string | undefined {
  return CODE.test(path) ? join(dirname(dirname(dirname(path))), 'state.json') : undefined;
}
