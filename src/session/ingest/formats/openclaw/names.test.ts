import { describe, expect, it } from 'vitest';
import { agentOfPath, isArchiveName, isCopyName, isSidecarName, sessionIdOfName } from './names.ts';

const uuid = '0b0e7c52-8f0e-4d0a-9c61-6d9a4b8f3a10';
const sha = 'ab'.repeat(32);

describe('names of OpenClaw files', () => {
  it('tell copies', () => {
    expect(isCopyName(`/s/${uuid}.checkpoint.${uuid}.jsonl`)).toBe(true);
    expect(isCopyName('/s/a.jsonl.bak-4711-1780509600000')).toBe(true);
    expect(isCopyName('C:\\s\\a.jsonl.corrupt-2026-06-03T18-00-00-000Z-1a2b3c4d.jsonl')).toBe(true);
    expect(isCopyName(`/s/${uuid}.jsonl`)).toBe(false);
    expect(isCopyName(`/s/${uuid}.jsonl.reset.2026-06-03T18-00-00.000Z`)).toBe(false);
  });

  it('tell archives', () => {
    expect(isArchiveName('/s/a.jsonl.reset.2026-06-03T18-00-00.000Z')).toBe(true);
    expect(isArchiveName('/s/a.jsonl.deleted.1780509600000')).toBe(true);
    expect(isArchiveName(`/s/cold/${sha}.jsonl.zst`)).toBe(true);
    expect(isArchiveName('/s/warm/a.jsonl.zst')).toBe(false);
    expect(isArchiveName('/s/a.jsonl')).toBe(false);
  });

  it('tell files that are no sessions', () => {
    expect(isSidecarName('/s/a.trajectory.jsonl')).toBe(true);
    expect(isSidecarName('/s/a.trajectory-path.json')).toBe(true);
    expect(isSidecarName('/s/sessions.json')).toBe(true);
    expect(isSidecarName('/h/cron/runs/job.jsonl')).toBe(true);
    expect(isSidecarName('/s/a.jsonl')).toBe(false);
  });

  it('hold the session and the agent', () => {
    expect(sessionIdOfName('/s/a.jsonl')).toBe('a');
    expect(sessionIdOfName('/s/a.jsonl.reset.2026-06-03T18-00-00.000Z')).toBe('a');
    expect(sessionIdOfName(`/s/a.checkpoint.${uuid}.jsonl`)).toBe('a');
    expect(agentOfPath('/h/.openclaw/agents/ann/sessions/a.jsonl')).toBe('ann');
    expect(agentOfPath('/h/.openclaw/agents/ann/agent/openclaw-agent.sqlite')).toBe('ann');
    expect(agentOfPath('/h/a.jsonl')).toBeUndefined();
  });
});
