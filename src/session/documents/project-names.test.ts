import { describe, expect, it } from 'vitest';
import { projectNames } from './project-names.ts';

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
