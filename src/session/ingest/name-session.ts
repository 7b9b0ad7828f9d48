/** A session that its transcript gives no name is called like its file. */
import { basename } from 'node:path';
import type { SessionFacts } from '../evidence.ts';
import { STANDARD_INPUT } from './open-input.ts';
import { NAMELESS } from './transcript.ts';

export function namedSession(facts: SessionFacts, name: string): SessionFacts {
  return facts.sessionId === NAMELESS ? { ...facts, sessionId: name } : facts;
}

export function nameOfFile(path: string): string {
  if (path === STANDARD_INPUT) return 'stdin';
  return basename(path).replace(/(?:\.(?:jsonl|ndjson|json|traj))?(?:\.(?:gz|zst))?$/i, '') || basename(path);
}
