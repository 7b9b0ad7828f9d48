/** Authentication and authorisation of requests. */
import { isDeepStrictEqual } from 'node:util';
import { projectName } from '../../config.ts';
import { AssayError } from '../../errors.ts';
import { isIn } from '../../named-project.ts';
import { isKey } from './local-key.ts';

/** Each includes the ones before it. */
const SCOPES = ['read', 'write', 'admin'] as const;
export type TokenScope = (typeof SCOPES)[number];

export type Access = {
  /** The name of the token; absent where none is needed. */
  readonly who?: string;
  /** `send`: a program of this machine that did not say who it is. */
  readonly scope: TokenScope | 'send';
  /** The id of the token; absent where none is needed. */
  readonly tokenId?: string;
  /** Names of the projects that are seen, and no others; absent: all that there is. */
  readonly projects?: readonly string[];
  /** The token has expired and allows nothing. */
  readonly isOver?: true;
};

/** The access that a secret grants; undefined for an unknown one. */
export type FindToken = (secret: string) => Access | undefined;

export type AccessRules = {
  /** Only this machine reaches the server: its key allows everything. Elsewhere there is none. */
  readonly key?: string | undefined;
  readonly findToken: FindToken;
};

export function secretIn(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

/** `isIntake`: programs of this machine send there without the key. */
export function accessOf(
  authorization: string | undefined,
  { key, findToken }: AccessRules,
  isIntake = false,
): Access {
  const secret = secretIn(authorization);
  if (secret === undefined) {
    if (key === undefined) throw new AssayError('TOKEN_NEEDED', 'the server requires a token');
    if (isIntake) return { who: 'nobody', scope: 'send' };
    throw keyNeeded('the server requires its key or a token');
  }
  if (key !== undefined && isKey(secret, key)) return { scope: 'admin' };
  const access = findToken(secret);
  if (access === undefined || access.isOver === true)
    throw new AssayError('TOKEN_NEEDED', 'the token is unknown, revoked or expired');
  return access;
}

export function keyNeeded(what: string): AssayError {
  return new AssayError('TOKEN_NEEDED', what, {
    remedy: [
      {
        say: 'Open the address that `assay serve` printed, or create a token',
        step: { operation: 'token create' },
      },
    ],
  });
}

/** Whether the same access would still be granted. */
export function allowsStill(authorization: string | undefined, given: Access, rules: AccessRules): boolean {
  try {
    return isDeepStrictEqual(accessOf(authorization, rules), given);
  } catch {
    return false;
  }
}

export function allows({ scope }: Access, needed: TokenScope): boolean {
  return scope !== 'send' && SCOPES.indexOf(scope) >= SCOPES.indexOf(needed);
}

export function demand(access: Access, needed: TokenScope): void {
  if (!allows(access, needed))
    throw new AssayError(
      'REQUEST_REFUSED',
      `this requires the scope ${needed}, and the token has ${access.scope}`,
    );
}

/** What shows all projects is for those who see all. */
export function demandAll({ projects }: Access): void {
  if (projects !== undefined)
    throw new AssayError('REQUEST_REFUSED', 'this shows all projects, and the token is only for some');
}

/** The project to write to: the named one, or the only one of the token. */
export function projectWritten({ projects }: Access, named: string | undefined): string | undefined {
  if (named === undefined) return projects?.length === 1 ? projects[0] : undefined;
  const name = projectName.safeParse(named);
  if (!name.success) throw new AssayError('REQUEST_INVALID', 'Assay-Project is not the name of a project');
  if (projects !== undefined && !isIn(name.data, projects))
    throw new AssayError('REQUEST_REFUSED', 'the token is not for the project that Assay-Project names');
  return name.data;
}
