import { describe, expect, it } from 'vitest';
import { applicationData } from './environment.ts';

describe('the folder of programs with windows', () => {
  it('is where the system has it, unless a variable says otherwise', () => {
    expect(applicationData('/home/me', {}, 'linux')).toBe('/home/me/.config');
    expect(applicationData('/home/me', { XDG_CONFIG_HOME: '/c' }, 'linux')).toBe('/c');
    expect(applicationData('/Users/me', { XDG_CONFIG_HOME: '/c' }, 'darwin')).toBe(
      '/Users/me/Library/Application Support',
    );
    expect(applicationData('/u', { APPDATA: '/roaming' }, 'win32')).toBe('/roaming');
  });
});
