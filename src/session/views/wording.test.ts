import { describe, expect, it } from 'vitest';
import { projectNames, shortIds } from './wording.ts';

const named = (...projects: (string | undefined)[]) =>
  Object.fromEntries(projectNames(projects.map((project) => ({ project }))));

describe('the names of projects', () => {
  it('are the last part of their folder, and more where two end alike', () => {
    expect(named('/home/ada/shop', '/home/ada/api', undefined)).toEqual({
      '/home/ada/shop': 'shop',
      '/home/ada/api': 'api',
    });
    expect(named('/a/x/cli', '/b/x/cli', 'C:\\work\\cli')).toEqual({
      '/a/x/cli': 'a/x/cli',
      '/b/x/cli': 'b/x/cli',
      'C:\\work\\cli': 'work/cli',
    });
  });

  it('end also where one path is written in two ways, or is no path', () => {
    expect(named('/a/b', '/a/b/', '/')).toEqual({ '/a/b': '/a/b', '/a/b/': '/a/b/', '/': '/' });
  });
});

const short = (...ids: string[]) => [...shortIds(ids).values()];

describe('short ids of a list', () => {
  it('are the beginning where it tells, else the end, else more of it', () => {
    expect(short('7ef17b32-b369-4858', '61cb3ba8-484b-4a21')).toEqual(['7ef17b32', '61cb3ba8']);
    expect(short('session_000000000a', 'session_000000000b')).toEqual(['0000000a', '0000000b']);
    expect(short('session_1_the_end.', 'session_2_the_end.')).toEqual(['session_1_th', 'session_2_th']);
  });

  it('are the whole where nothing short tells, and of a short one; one id is said once', () => {
    const alike = ['same_start_of_a_1_same_end_of_all', 'same_start_of_a_2_same_end_of_all'];
    expect(short(...alike)).toEqual(alike);
    expect(short('smp-1', 'smp-1')).toEqual(['smp-1']);
  });
});
