/**
 * Tokens for access to a server. A token is shown once, when it is created; only its hash is stored. A secret of 256
 * random bits cannot be guessed, so a fast hash is enough.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { projectName } from '../../config.ts';
import { AssayError } from '../../errors.ts';
import { replaceFile, underLock } from '../../locked-file.ts';
import { isOwnFile, makeGuardedFolder, userConfigFolder } from '../../own-folder.ts';
import { didYouMean } from '../../suggest.ts';
import type { Access, FindToken, TokenScope } from './access.ts';

const storedToken = z.strictObject({
  id: z.string(),
  name: z.string(),
  scope: z.enum(['read', 'write', 'admin']),
  sha256: z.string().length(64),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  /** Absent, like the team: it is for all projects. An empty list is no project, and an empty name names none. */
  projects: z
    .array(z.string())
    .transform((names) => names.filter((name) => name.trim() !== ''))
    .exactOptional(),
  team: z.string().exactOptional(),
});

const tokenFile = z.strictObject({ version: z.literal(1), tokens: z.array(storedToken) });

export type StoredToken = z.infer<typeof storedToken>;

export function tokenPath(environment: Readonly<Record<string, string | undefined>>): string {
  return join(userConfigFolder(environment), 'tokens.json');
}

const SECRET_BYTES = 32;
const ID_BYTES = 4;

/** Returns the token to send; it cannot be shown again. */
export async function createToken(
  path: string,
  asked: NewToken,
): Promise<{ readonly token: string; readonly stored: StoredToken }> {
  const { name, projects, team } = checkedNames(asked);
  const { scope, now, goodForMs } = asked;
  const id = randomBytes(ID_BYTES).toString('hex');
  const token = `assay_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const stored: StoredToken = {
    id,
    name,
    scope,
    sha256: hashOf(token).toString('hex'),
    created_at: now.toISOString(),
    expires_at: goodForMs === undefined ? null : new Date(now.getTime() + goodForMs).toISOString(),
    ...(projects !== undefined && { projects: [...projects] }),
    ...(team !== undefined && { team }),
  };
  await change(path, (tokens) => [...tokens, stored]);
  return { token, stored };
}

/** By its id or its name. */
export async function revokeToken(path: string, named: string): Promise<readonly StoredToken[]> {
  const matches = ({ id, name }: StoredToken) => id === named || name === named;
  let revoked: readonly StoredToken[] = [];
  await change(path, (tokens) => {
    revoked = tokens.filter(matches);
    return tokens.filter((one) => !matches(one));
  });
  return revoked;
}

export function listTokens(path: string): readonly StoredToken[] {
  if (!existsSync(path)) return [];
  if (!isOwnFile(path))
    throw new AssayError(
      'FILE_UNREADABLE',
      `${path} can be written by others, so its tokens are not trusted`,
    );
  try {
    return tokenFile.parse(JSON.parse(readFileSync(path, 'utf8'))).tokens;
  } catch (cause) {
    throw new AssayError('INPUT_INVALID', `${path} is not a valid token file`, {
      cause,
      remedy: 'Move it away and create new tokens.',
    });
  }
}

/** A token that was made or revoked while the server runs is seen with the next request. */
export function tokensIn(path: string, now: () => Date, teams: Teams = {}): FindToken {
  let tokens: readonly StoredToken[] = [];
  let stamp: string | undefined;
  return (secret) => {
    const current = stampOf(path);
    if (current !== stamp) tokens = listTokens(path);
    stamp = current;
    const found = tokenBy(secret, tokens);
    if (found === undefined) return undefined;
    const access = accessOf(found, teams);
    return isOver(found, now().toISOString()) ? { ...access, isOver: true } : access;
  };
}

/** Every token is compared, and each in constant time: how long it takes says nothing. */
function tokenBy(secret: string, tokens: readonly StoredToken[]): StoredToken | undefined {
  const hash = hashOf(secret);
  let found: StoredToken | undefined;
  for (const one of tokens) if (timingSafeEqual(hash, Buffer.from(one.sha256, 'hex'))) found = one;
  return found;
}

/** A team that the server does not know has no projects: its tokens see nothing. */
function accessOf({ id, name, scope, projects, team }: StoredToken, teams: Teams): Access {
  const known = { who: name, scope, tokenId: id };
  if (projects === undefined && team === undefined) return known;
  const ofTeam = team !== undefined && Object.hasOwn(teams, team) ? (teams[team] ?? []) : [];
  return { ...known, projects: [...new Set([...(projects ?? []), ...ofTeam])] };
}

export function isOver({ expires_at: end }: Pick<StoredToken, 'expires_at'>, at: string): boolean {
  return end !== null && end <= at;
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

async function change(
  path: string,
  next: (tokens: readonly StoredToken[]) => readonly StoredToken[],
): Promise<void> {
  if (!makeGuardedFolder(dirname(path)))
    throw new AssayError('OUTPUT_FAILED', `${dirname(path)} is a folder that others may write to`);
  await underLock(path, () => {
    replaceFile(path, `${JSON.stringify({ version: 1, tokens: next(listTokens(path)) }, null, 2)}\n`);
    chmodSync(path, 0o600);
  });
}

/** Team → its projects. */
export type Teams = Readonly<Record<string, readonly string[]>>;

export type NewToken = {
  readonly name: string;
  readonly scope: TokenScope;
  readonly now: Date;
  /** Milliseconds; without it the token is good until it is revoked. */
  readonly goodForMs?: number | undefined;
  /** Without projects and without a team it is for all projects; a list names at least one. */
  readonly projects?: readonly string[] | undefined;
  readonly team?: string | undefined;
  /** Of the configuration: a team is one of these. */
  readonly teams?: Teams;
};

/** The names as they are stored. */
function checkedNames({
  name,
  projects,
  team,
  teams = {},
}: NewToken): Pick<NewToken, 'name' | 'projects' | 'team'> {
  if (!/^[\w.@-]{1,60}$/.test(name))
    throw new AssayError('USAGE', `a label consists of letters, digits and . _ @ -, not "${name}"`, {
      remedy: 'Choose a label of 1 to 60 such characters.',
    });
  if (projects?.length === 0) throw unnamed('the list of projects names no project');
  const names = projects?.map(checkedProject);
  if (team !== undefined) assertTeam(team, teams);
  return { name, projects: names, team };
}

function checkedProject(name: string): string {
  if (name.trim() === '') throw unnamed('a project of the token has an empty name');
  const parsed = projectName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new AssayError('USAGE', `the name of a project ${parsed.error.issues[0]?.message}, not "${name}"`, {
    remedy: 'Name the project as the end of its folder, e.g. payments/checkout.',
  });
}

function assertTeam(team: string, teams: Teams): void {
  if (team.trim() === '') throw unnamed('the team of the token has an empty name');
  const remedy = 'Add it and its projects to `teams` of the configuration, or name that file with --config.';
  if (!Object.hasOwn(teams, team))
    throw new AssayError(
      'USAGE',
      `the configuration has no team "${team}"${didYouMean(team, Object.keys(teams))}`,
      { remedy },
    );
  if (teams[team]?.length === 0)
    throw new AssayError('USAGE', `the team ${team} has no projects`, { remedy });
}

/** As a shell leaves of a variable that is not set. */
function unnamed(what: string): AssayError {
  return new AssayError('USAGE', `${what}, so no token was created`, {
    remedy:
      'Check for an unset variable. Name each project, or omit --project and --team for a token for all projects.',
  });
}
