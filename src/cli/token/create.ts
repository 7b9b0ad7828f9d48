import { whatFor } from '../../report/server-views.ts';
import { plain } from '../../report/unsafe-text.ts';
import { createToken, revokeToken, type StoredToken, tokenPath } from '../../server/security/tokens.ts';
import { recordCommand } from '../audit/record-command.ts';
import { defineCommand, STORE_OPTIONS, type StoreArguments, type Terminal } from '../command.ts';
import { readSettings } from '../settings.ts';

const DAY_MS = 86_400_000;

export const command = defineCommand({
  name: 'token create',
  summary: 'Create a token for access to a server; it is shown once',
  positionals: { usage: '[LABEL]', max: 1 },
  options: {
    scope: {
      type: 'choice',
      choices: ['read', 'write', 'admin'],
      default: 'read',
      doc: 'Scope: read; write also sends sessions, ratings and alerts; admin also reads transcripts',
    },
    project: {
      type: 'list',
      value: 'NAME',
      doc: 'Projects, separated by commas (default, without a team: all)',
    },
    team: {
      type: 'text',
      value: 'NAME',
      doc: 'Team: the projects under `teams` in the configuration of the server',
    },
    days: {
      type: 'number',
      min: 0,
      max: 3650,
      whole: true,
      value: 'N',
      default: 90,
      doc: 'Days until it expires; 0: until it is revoked',
    },
    ...STORE_OPTIONS,
  },
  examples: [
    'assay token create ci --scope write --days 30',
    'assay token create ann --project checkout,billing',
    'assay token create payments --team payments',
  ],
  notes: ['Only its hash is stored, in your configuration folder. Send it as Authorization: Bearer …'],
  run: async (args, terminal) => {
    const name = args.positionals[0] ?? 'token';
    const { days, scope, project, team } = args.values;
    const { teams } = (await readSettings(args, terminal)).config;
    const { token, stored: kept } = await createToken(tokenPath(terminal.env), {
      name,
      scope,
      projects: project,
      team,
      teams,
      now: new Date(),
      ...(days > 0 && { goodForMs: days * DAY_MS }),
    });
    try {
      await noteToken('token create', kept, args, terminal);
    } catch (error) {
      await revokeToken(tokenPath(terminal.env), kept.id);
      throw error;
    }
    terminal.print(`${token}\n`);
    const end = kept.expires_at === null ? 'until it is revoked' : `until ${kept.expires_at.slice(0, 10)}`;
    terminal.note(
      `assay: ${plain(name)} allows ${scope} ${plain(whatFor(kept.projects, kept.team))}, ${end}. It is not shown again; assay token revoke ${kept.id} revokes it.\n`,
    );
    return 0;
  },
});

/** The audit entry about a token of one project belongs to that project. */
export async function noteToken(
  what: 'token create' | 'token revoke',
  { id, projects = [], team }: Pick<StoredToken, 'id' | 'projects' | 'team'>,
  args: StoreArguments,
  terminal: Terminal,
): Promise<void> {
  const only = projects.length === 1 && team === undefined ? { project: projects[0] } : {};
  await recordCommand(args, terminal, { what, target: id, outcome: 'done', status: 0, ...only });
}
