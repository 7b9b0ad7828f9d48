/** Where what agents send goes to: a folder of this machine, or the store where several servers have one. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { FleetIntake } from '../../operations/session/fleet-intake.ts';
import type { FollowRequest } from '../../operations/session/follow-sessions.ts';
import { type Intake, LiveIntake } from '../../operations/session/live-intake.ts';
import { userCacheFolder, userDataFolder } from '../../own-folder.ts';
import type { Services } from '../services.ts';

/** All servers over one store have the same in it. */
const KEY = 'ASSAY_SPOOL_KEY';
const MEGABYTE = 1_000_000;
const MINUTE_MS = 60_000;

export type Received = NonNullable<FollowRequest['replica']>['received'];

export type OpenIntake = {
  readonly intake: Intake;
  /** What was sent is in files below it. */
  readonly folder: string;
  /** Before these files are read, each time that somebody begins to follow them. */
  readonly begin: () => Promise<{
    readonly replica?: FollowRequest['replica'];
    /** Of these somebody said that they have ended. */
    readonly ended: readonly string[];
  }>;
  readonly prune: () => Promise<unknown>;
  /** Nothing more is taken, and what was acknowledged stays. */
  readonly close: () => Promise<void>;
};

export type IntakeNews = {
  readonly onGrown: (paths: readonly string[], received: Received) => void;
  readonly onEnded: (path: string) => void;
};

export async function openIntake(services: Services, on: IntakeNews): Promise<OpenIntake> {
  const { sessions, machine, log } = services;
  const store = await sessions.store();
  const secret = machine.environment[KEY] ?? '';
  if (store.sent === undefined) return openFolder(services, folderBeside(store.address), on);
  if (secret === '') {
    log('warn', 'sent to this server alone', { why: `${KEY} has no value: other servers do not see it` });
    return openFolder(services, { folder: ownFolder(services, store.address) }, on);
  }
  const { config } = services;
  const cache = userCacheFolder({ HOME: machine.home, ...machine.environment });
  const intake = new FleetIntake({
    log: store.sent,
    keys: { secrets: secret, variable: KEY },
    within: join(cache, 'replica'),
    mostBytes: config.session.spoolMegabytes * MEGABYTE,
    on: {
      onGrown: (files) =>
        on.onGrown(
          files.map(({ path }) => path),
          files,
        ),
      onEnded: on.onEnded,
      onFailure: (why) => log('error', 'sent to others', { why }),
    },
  });
  let filled: Promise<readonly string[]> | undefined;
  return {
    intake,
    folder: intake.folder,
    begin: async () => {
      filled ??= intake.begin(config.session.silenceMinutes * MINUTE_MS).then((ended) => {
        intake.start();
        return ended;
      });
      filled.catch(() => {
        filled = undefined;
      });
      const ended = await filled;
      return { replica: { folder: intake.folder, received: intake.received }, ended };
    },
    prune: () => intake.prune(config.session.spoolDays),
    close: () => intake.close(),
  };
}

function openFolder(
  { config, sessions }: Services,
  { folder, cleanUp }: { readonly folder: string; readonly cleanUp?: () => void },
  on: IntakeNews,
): OpenIntake {
  const { spoolMegabytes, spoolDays } = config.session;
  const news = { onGrown: (paths: readonly string[]) => on.onGrown(paths, []), onEnded: on.onEnded };
  const intake = new LiveIntake(folder, news, spoolMegabytes * MEGABYTE);
  return {
    intake,
    folder,
    begin: async () => ({ ended: [] }),
    prune: () => intake.prune(spoolDays, sessions.now()),
    close: async () => {
      await intake.close();
      cleanUp?.();
    },
  };
}

/** Beside the store. One that is in memory has nothing beside it, and is gone with the server. */
function folderBeside(address: string): { readonly folder: string; readonly cleanUp?: () => void } {
  if (address !== ':memory:') return { folder: join(dirname(resolve(address)), 'spool') };
  const folder = mkdtempSync(join(tmpdir(), 'assay-spool-'));
  return { folder, cleanUp: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A store that is elsewhere has nothing beside it here. */
function ownFolder({ machine }: Services, address: string): string {
  const name = createHash('sha256').update(address).digest('hex').slice(0, 16);
  return join(userDataFolder({ HOME: machine.home, ...machine.environment }), `spool-${name}`);
}
