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

/** As they were given; whoever makes the token looks at them. */
export function projectsOf(args: Arguments): readonly string[] | undefined {
  return textOf(args, 'project')?.split(',');
}
