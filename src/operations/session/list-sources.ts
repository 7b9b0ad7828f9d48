import { findSources, type SessionSource } from '../../session/ingest/files/find-sources.ts';
import type { Declared } from '../../session/ingest/formats/format.ts';
import { FORMATS } from '../../session/ingest/formats/formats.ts';
import type { Machine } from './session-request.ts';

export type FormatHere = Required<Pick<Declared, 'shows' | 'versions' | 'unmeasured'>> & {
  readonly name: string;
  readonly title: string;
  /** The number of files on this machine. */
  readonly files: number;
};

/** The searched places, and what the formats of their files can show. */
export type Sources = {
  readonly sources: readonly SessionSource[];
  readonly formats: readonly FormatHere[];
};

/** Where agents on this machine store their sessions, what is there, and what their transcripts can show. */
export function listSources({ home, environment }: Machine): Sources {
  const sources = findSources(home, environment);
  const filesOf = (name: string): number =>
    sources.reduce((sum, { source, files }) => sum + (source === name ? files.length : 0), 0);
  const formats = FORMATS.map(({ name, title, shows, versions, unmeasured = [] }) => {
    return { name, title, shows, versions, unmeasured, files: filesOf(name) };
  });
  return { sources, formats };
}

/** The agents whose transcripts Assay reads: the name in rows and the display name. */
export function listAgents(): readonly { readonly agent: string; readonly name: string }[] {
  return FORMATS.map(({ name, title }) => ({ agent: name, name: title }));
}
