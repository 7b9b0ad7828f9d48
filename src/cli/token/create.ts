import { AssayError } from '../../errors.ts';
import { whatFor } from '../../report/token-document.ts';
import { plain } from '../../report/unsafe-text.ts';
import { createToken, revokeToken, tokenPath } from '../../server/security/tokens.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { readSettings } from '../settings.ts';
import { textOf } from '../text-of.ts';
import { noteToken } from './note-token.ts';
import { PROJECT_OPTIONS, projectsOf } from './project-options.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 3_650;

export const command: Command = {
  name: 'token create',
  summary: 'Make a token that lets others ask a server; it is shown once',
  positionals: { usage: '[LABEL]', max: 1 },
  options: {
    scope: {
      type: 'string',
      choices: ['read', 'write', 'admin'],
      default: 'read',
      doc: 'What it allows: read; write also sends sessions, ratings and alerts; admin also reads transcripts',
    },
    ...PROJECT_OPTIONS,
    days: { type: 'string', value: 'N', default: '90', doc: 'Days it is good for; 0: until it is revoked' },
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay token create ci --scope write --days 30',
    'assay token create ann --project checkout,billing',
    'assay token create payments --team payments',
  ],
  notes: ['Only a hash of it is kept, in your configuration folder. Send it as Authorization: Bearer …'],
  run: async (args, terminal) => {
    const name = args.positionals[0] ?? 'token';
    const days = daysOf(args);
    const scope = args.values.scope as 'read';
    const { teams } = (await readSettings(args, terminal)).config;
    const { token, kept } = await createToken(tokenPath(terminal.env), {
      name,
      scope,
      projects: projectsOf(args),
      team: textOf(args, 'team'),
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
      `assay: ${plain(name)} allows ${scope} ${plain(whatFor(kept.projects, kept.team))}, ${end}. It is not shown again; assay token revoke ${kept.id} takes it back.\n`,
    );
    return 0;
  },
};

function daysOf(args: Arguments): number {
  const text = textOf(args, 'days') ?? '';
  const days = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (days <= MAX_DAYS) return days;
  throw new AssayError('USAGE', `--days is a number from 0 to ${MAX_DAYS}, not "${text}"`);
}
