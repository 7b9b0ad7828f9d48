import { filesOf, type Unread } from '../../session/ingest/files/find-files.ts';
import { findSources, type SessionSource } from '../../session/ingest/files/find-sources.ts';
import type { TranscriptPlaces } from './session-request.ts';

export type FoundTranscripts = { readonly files: readonly string[]; readonly unreadable: readonly Unread[] };

/** The transcripts of a request. */
export function findTranscripts({ paths, home, environment }: TranscriptPlaces): FoundTranscripts {
  if (paths.length > 0) return filesNamed(paths);
  return filesOfAgents(findSources(home, environment));
}

function filesNamed(paths: readonly string[]): FoundTranscripts {
  const unreadable: Unread[] = [];
  return { files: filesOf(paths, (unread) => unreadable.push(unread)), unreadable };
}

function filesOfAgents(sources: readonly SessionSource[]): FoundTranscripts {
  return {
    files: sources.flatMap(({ files }) => files),
    unreadable: sources.flatMap(({ unreadable }) => unreadable),
  };
}
