import { isAbsolute } from 'node:path';
import { describe, expect, it } from 'vitest';
import { userCacheFolder, userConfigFolder, userDataFolder } from './own-folder.ts';

describe('where a person’s own sessions are kept', () => {
  it.each([
    ['linux', { HOME: '/home/ada' }, '/home/ada/.local/share/assay'],
    ['linux', { HOME: '/home/ada', XDG_DATA_HOME: '/data' }, '/data/assay'],
    ['linux', { HOME: '/home/ada', XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/assay'],
    ['darwin', { HOME: '/Users/ada' }, '/Users/ada/Library/Application Support/assay'],
    ['win32', { HOME: '/u/ada', LOCALAPPDATA: '/u/ada/Local' }, '/u/ada/Local/assay'],
    ['win32', { HOME: '/u/ada' }, '/u/ada/AppData/Local/assay'],
  ])('on %s with %j is %s', (platform, env, folder) => {
    expect(userDataFolder(env, platform)).toBe(folder);
  });

  it.each([undefined, '', 'relative', './here'])('is never in the folder one stands in: HOME=%j', (HOME) => {
    for (const folderIn of [userCacheFolder, userConfigFolder, userDataFolder])
      expect(isAbsolute(folderIn({ HOME }))).toBe(true);
  });
});
