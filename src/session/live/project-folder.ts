/**
 * What is sent for a project lies in a folder of its own, by the name of the project: the same id of a session, or of a
 * conversation, means another one there.
 */
import { isNamedProject } from '../../named-project.ts';
import type { SentBy, SessionFacts } from '../evidence.ts';

const FOLDER = 'of';

/** From the folder of all that is sent. In hexadecimal: some systems take two spellings of a letter for one. */
export function projectFolder(project: string | undefined): readonly string[] {
  return project === undefined ? [] : [FOLDER, Buffer.from(project).toString('hex')];
}

/** Of which project a file is that was sent; undefined for those of none, and for all others. */
export function projectOfFile(path: string, sent: readonly string[]): string | undefined {
  const folder = sent.find((one) => path.startsWith(one));
  const [, name] = /^[/\\]of[/\\]([0-9a-f]+)[/\\]/.exec(path.slice(folder?.length)) ?? [];
  return folder === undefined || name === undefined ? undefined : Buffer.from(name, 'hex').toString();
}

/** Who sent a file; undefined for those that agents wrote on this machine. */
export function senderOf(path: string, sent: readonly string[]): SentBy | undefined {
  if (!sent.some((folder) => path.startsWith(folder))) return undefined;
  const project = projectOfFile(path, sent);
  return project === undefined ? {} : { project };
}

/** Whatever a transcript says of itself, it is of the project that it was sent for, and no copy of one of another. */
export function factsOfSender(facts: SessionFacts, sent: SentBy | undefined): SessionFacts {
  if (sent === undefined) return facts;
  const { project } = sent;
  if (project === undefined) return { ...facts, sent };
  return {
    ...facts,
    sent,
    project: facts.project !== undefined && isNamedProject(facts.project, project) ? facts.project : project,
    ...(facts.origin !== undefined && { origin: JSON.stringify([project, facts.origin]) }),
  };
}
