import { expect, it } from 'vitest';
import { isNamedProject } from './named-project.ts';

it.each(['/home/ada/shop/api', '/home/ada/shop/api/', 'api', 'shop/api'])('finds a project by %s', (name) =>
  expect(isNamedProject('/home/ada/shop/api', name)).toBe(true),
);

it.each(['pi', 'shop', '/home/ada', 'API', ''])('takes no other project for %j', (name) =>
  expect(isNamedProject('/home/ada/shop/api', name)).toBe(false),
);

it('knows folders of Windows, and a project that is only a name', () => {
  expect(isNamedProject('C:\\work\\api', 'api')).toBe(true);
  expect(isNamedProject('api', 'api')).toBe(true);
  expect(isNamedProject('/', '/')).toBe(true);
  expect(isNamedProject(undefined, 'api')).toBe(false);
});
