/** Follows the sessions of the agents on this machine, or those in the named places, until it is stopped. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError } from '../../errors.ts';
import { placesOf } from '../../session/ingest/files/find-sources.ts';
import { STANDARD_INPUT } from '../../session/ingest/files/open-input.ts';
import { marksIn, noteFollowing } from '../../session/live/hook-marks.ts';
import { FileWatch } from '../../session/live/watch-files.ts';
import type { ListedSession } from '../../session/session-groups.ts';
import type { Ports } from '../ports.ts';
import { type FollowRequest, SessionFollower } from './follow-sessions.ts';
import { listedRow } from './list-sessions.ts';
import { type SessionLiveEvent, sessionEvent } from './session-event.ts';
import type { TranscriptPlaces } from './session-request.ts';

export type WatchRequest = FollowRequest & {
  /** The minimum interval between scans of all files, in milliseconds. */
  readonly everyMs?: number;
  /** The folder where hooks of agents report the end of a session. */
  readonly marks?: string;
};

/** `row`: the session as lists show it. */
export type SessionListener = (event: SessionLiveEvent, row: ListedSession) => void | Promise<void>;

export type WatchedSessions = {
  readonly follower: SessionFollower;
  /** Pending changes are scored first. */
  readonly stop: () => Promise<void>;
};

/** Scores existing sessions, and reports changes. */
export async function watchSessions(
  request: WatchRequest,
  ports: Ports,
  notify: SessionListener,
): Promise<WatchedSessions> {
  const { paths } = request.from;
  if (paths.includes(STANDARD_INPUT))
    throw new AssayError('USAGE', 'standard input cannot be watched: name files or folders');
  const follower = new SessionFollower(request, ports, async (moments) => {
    for (const moment of moments) {
      const { facts: _, ...row } = moment.row;
      await notify(sessionEvent(moment), listedRow(row));
    }
  });
  const watch = new FileWatch({
    list: () => listed(follower),
    folders: foldersOf(request.from),
    onChange: (changed) => follower.touch(changed),
    ...(request.everyMs === undefined ? {} : { everyMs: request.everyMs }),
  });
  // Starts before the files are read, so that no append is missed.
  watch.start();
  try {
    await follower.begin();
  } catch (error) {
    watch.stop();
    await follower.stop();
    throw error;
  }
  const marks = request.marks === undefined ? undefined : followMarks(request.marks, follower, ports);
  return {
    follower,
    stop: async () => {
      marks?.stop();
      watch.stop();
      await follower.stop();
    },
  };
}

const MARKS_MS = 1000;

function followMarks(folder: string, follower: SessionFollower, ports: Ports): { readonly stop: () => void } {
  const following = noteFollowing(folder);
  const known = new Set(marksIn(folder, ports.now().getTime()).map(({ name }) => name));
  const timer = setInterval(() => {
    for (const { name, path } of marksIn(folder, ports.now().getTime())) {
      if (!known.has(name)) follower.end(path);
      known.add(name);
    }
  }, MARKS_MS);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      following.stop();
    },
  };
}

/** A named file that is missing for the moment is no reason to stop. */
function listed(follower: SessionFollower): readonly string[] {
  try {
    return follower.list();
  } catch (error) {
    if (error instanceof AssayError) return [];
    throw error;
  }
}

/** Where new files may appear: the named paths, or the folders of the agents. */
function foldersOf({ paths, home, environment }: TranscriptPlaces): readonly string[] {
  if (paths.length === 0) return placesOf(home, environment).map(({ place }) => place);
  return paths.map((path) => resolve(path)).filter(isFolder);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
