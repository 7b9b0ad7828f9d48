/** What a token may be made for. Looked at here, whoever makes one: an empty name must never widen what a token sees. */
import { projectName } from '../../config.ts';
import { AssayError } from '../../errors.ts';
import { didYouMean } from '../../suggest.ts';
import type { TokenScope } from './access.ts';

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
export function checkedNames({
  name,
  projects,
  team,
  teams = {},
}: NewToken): Pick<NewToken, 'name' | 'projects' | 'team'> {
  if (!/^[\w.@-]{1,60}$/.test(name))
    throw new AssayError('USAGE', `a label has letters, digits and . _ @ -, not "${name}"`, {
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
  return new AssayError('USAGE', `${what}, so no token was made`, {
    remedy:
      'Check for a variable that is not set. Name each project, or leave out --project and --team for a token of all projects.',
  });
}
