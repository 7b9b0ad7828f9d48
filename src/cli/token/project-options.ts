import { projectName } from '../../config.ts';
import { AssayError } from '../../errors.ts';
import type { Arguments, Options } from '../command.ts';
import { textOf } from '../text-of.ts';

export const PROJECT_OPTIONS: Options = {
  project: {
    type: 'string',
    value: 'NAME',
    list: true,
    doc: 'Project it is for, several with commas; without one, and without a team, all of them',
  },
  team: {
    type: 'string',
    value: 'NAME',
    doc: 'Team it is for: the projects that `teams` of the server names',
  },
};

export function projectsOf(args: Arguments): readonly string[] {
  const names = (textOf(args, 'project') ?? '').split(',').filter((name) => name !== '');
  return names.map((name) => {
    const parsed = projectName.safeParse(name);
    if (parsed.success) return parsed.data;
    throw new AssayError('USAGE', `the name of a project ${parsed.error.issues[0]?.message}`);
  });
}
