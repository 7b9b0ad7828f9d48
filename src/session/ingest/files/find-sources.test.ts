import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../testing/temp-folder.ts';
import { findSources, placesOf } from './find-sources.ts';
import { SESSION_PATHS } from './testing/session-paths.ts';

describe('the places where agents keep their sessions', () => {
  const home = tempFolder();
  const elsewhere = tempFolder();
  home.write('.claude/projects/p/s.jsonl', '{}');
  home.write('.codex/sessions/2026/01/01/rollout-1.jsonl', '{}');
  home.write('.gemini/tmp/hash/chats/session-1.json', '{}');
  home.write('.gemini/tmp/hash/logs.json', '[]');
  home.write('.openclaw/agents/main/sessions/s.jsonl', '{}');
  home.write('.openclaw/agents/main/sessions/sessions.json', '{}');
  home.write('.openclaw/agents/main/agent/openclaw-agent.sqlite', '');
  home.write('.openclaw-work/agents/main/sessions/t.jsonl', '{}');
  home.write('.pi/agent/sessions/--p--/t_1.jsonl', '{}');
  elsewhere.write('secret/s.jsonl', '{}');
  symlinkSync(elsewhere.path, join(home.path, '.claude/projects/out'));

  it('are found under the home folder, and no link leads out of them', () => {
    const found = findSources(home.path, {}).filter(({ exists }) => exists);
    const files = found.map(({ agent, files }) => [
      agent,
      files.map((file) => file.slice(home.path.length + 1)),
    ]);
    expect(files).toEqual([
      ['claude-code', ['.claude/projects/p/s.jsonl']],
      ['codex', ['.codex/sessions/2026/01/01/rollout-1.jsonl']],
      ['gemini', ['.gemini/tmp/hash/chats/session-1.json']],
      [
        'openclaw',
        ['.openclaw/agents/main/agent/openclaw-agent.sqlite', '.openclaw/agents/main/sessions/s.jsonl'],
      ],
      ['openclaw', ['.openclaw-work/agents/main/sessions/t.jsonl']],
      ['pi', ['.pi/agent/sessions/--p--/t_1.jsonl']],
    ]);
  });

  it('are listed when they do not exist, too', () => {
    const sources = findSources(join(home.path, 'nobody'), {});
    expect(sources.length).toBeGreaterThan(6);
    expect(sources.every(({ exists, files }) => !exists && files.length === 0)).toBe(true);
  });

  it("are those of the agents' own variables where they are set", () => {
    const env = {
      CLAUDE_CONFIG_DIR: '/c1, /c2',
      CODEX_HOME: '/x',
      GEMINI_CLI_HOME: '/g',
      OPENCLAW_STATE_DIR: '/o',
      PI_CODING_AGENT_DIR: '/p',
      XDG_DATA_HOME: '/d',
      QWEN_HOME: '/q',
      COPILOT_HOME: '/co',
      KIMI_CODE_HOME: '/kc',
      KIMI_SHARE_DIR: '/ks',
      CLINE_DATA_DIR: '/cl',
      GOOSE_PATH_ROOT: '/go',
      CRUSH_GLOBAL_DATA: '/cr',
      CONTINUE_GLOBAL_DIR: '/cn',
      GROK_HOME: '/gr',
      HERMES_HOME: '/h',
    };
    const places = placesOf('/home/me', env).filter(({ place }) => !place.startsWith('/home/me'));
    expect(places.map(({ agent, place }) => `${agent} ${place}`)).toEqual([
      'claude-code /c1/projects',
      'claude-code /c2/projects',
      'codex /x/sessions',
      'codex /x/archived_sessions',
      'gemini /g/.gemini/tmp',
      'openclaw /o/agents',
      'pi /p/sessions',
      'opencode /d/opencode',
      'opencode /d/opencode/storage/session',
      'opencode /d/opencode/project',
      'qwen-code /q/projects',
      'copilot-cli /co/session-state',
      'kimi /kc/sessions',
      'kimi /ks/sessions',
      'cline /cl/sessions',
      'cline /cl/tasks',
      'goose /go/data/sessions',
      'crush /cr',
      'amp /d/amp/threads',
      'continue /cn/sessions',
      'grok /gr/sessions',
      'hermes /h',
      'hermes /h/sessions',
      'copilot (OpenTelemetry) /co/otel',
    ]);
  });
});

/** The same sessions in every place. */
function inhabit(home: ReturnType<typeof tempFolder>): string[] {
  return SESSION_PATHS.map((name) => home.write(name(1, 2), '{}')).sort();
}

const foundIn = (home: string) => findSources(home, {}).flatMap(({ files }) => files);

describe('looking for sessions', () => {
  const [home, linking, unrecognised] = [tempFolder(), tempFolder(), tempFolder()];
  const written = inhabit(home);

  it('finds one of each agent', () => {
    expect(foundIn(home.path).toSorted()).toEqual(written);
  });

  it('follows no link out of any place, to a folder or to a file, at any depth', () => {
    const theirs = placesOf(home.path, {});
    const places = placesOf(linking.path, {});
    for (const [index, { place }] of places.entries()) {
      const target = theirs[index]?.place ?? '';
      mkdirSync(place, { recursive: true });
      symlinkSync(target, join(place, 'out'));
      // A place may itself lie behind a link: somebody put it there.
      for (const name of existsSync(target) ? readdirSync(target) : [])
        if (!places.some((one) => one.place.startsWith(join(place, name))))
          symlinkSync(join(target, name), join(place, name));
    }
    for (const [index, name] of SESSION_PATHS.entries()) {
      const path = join(linking.path, name(3, 4));
      mkdirSync(join(path, '..'), { recursive: true });
      symlinkSync(join(home.path, SESSION_PATHS[index]?.(1, 2) ?? ''), path);
    }
    expect(foundIn(linking.path)).toEqual([]);
    expect(foundIn(home.path)).toHaveLength(written.length);
  });

  it('takes nothing that it does not know, wherever it lies', () => {
    const strange = ['id_rsa', '.env', 'notes.md', 'photo.png', 'settings.toml', 'log', 'a.jsonl.lock'];
    for (const { place } of placesOf(unrecognised.path, {}))
      for (const name of strange) {
        unrecognised.write(join(place, name).slice(unrecognised.path.length), 'x');
        unrecognised.write(join(place, 'below', name).slice(unrecognised.path.length), 'x');
      }
    expect(foundIn(unrecognised.path)).toEqual([]);
  });

  it('opens no session', ({ skip }) => {
    for (const path of written) utimesSync(path, 1, 2);
    const control = home.write('control.jsonl', '{}');
    utimesSync(control, 1, 2);
    readFileSync(control);
    if (statSync(control).atimeMs === 1000) skip('this file system does not keep when a file was read');
    expect(foundIn(home.path)).toHaveLength(written.length);
    expect(written.filter((path) => statSync(path).atimeMs !== 1000)).toEqual([]);
  });
});
