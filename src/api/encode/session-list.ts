import type { z } from 'zod';
import { isoTime } from '../../session/iso-time.ts';
import type { ListedGroup, ListedSession, SessionList, SessionTotals } from '../../session/results.ts';
import type { listedGroup, listedSession, sessionList } from '../schema/session-list.ts';
import { encodeMeasurement } from './measurement.ts';

export function encodeSessionList(list: SessionList): z.infer<typeof sessionList> {
  const { sort, by, timezone = 'UTC', total, listed, groups } = list;
  return {
    format: 'assay-session-list',
    version: 1,
    sort,
    by: by ?? null,
    timezone,
    total: encodeTotals(total),
    sessions: listed.map(encodeListed),
    groups: groups.map(encodeGroup),
  };
}

export function encodeGroup(group: ListedGroup): z.infer<typeof listedGroup> {
  return {
    key: group.key ?? null,
    ...encodeTotals(group),
    models: [...group.models],
    listed: group.listed.map(encodeListed),
  };
}

function encodeTotals({ sessions, q, turns, usage, costUsd, costIsLowerBound, costUnknown }: SessionTotals) {
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    sessions,
    q: encodeMeasurement(q),
    turns: turns ?? null,
    input_tokens: input,
    output_tokens: output,
    cache_write_tokens: cacheWrite,
    cache_read_tokens: cacheRead,
    total_tokens: input + output + cacheRead + cacheWrite,
    cost_usd: costUsd ?? null,
    cost_usd_is_lower_bound: costIsLowerBound,
    cost_unknown: costUnknown,
  };
}

export function encodeListed(one: ListedSession): z.infer<typeof listedSession> {
  return {
    session_id: one.sessionId,
    session_key: one.key,
    started_at: isoTime(one.startedAt) ?? null,
    project: one.project ?? null,
    title: one.title ?? null,
    task_type: one.taskType,
    source: one.source,
    agent: one.agent ?? null,
    model: one.model ?? null,
    turns: one.turns ?? null,
    q: one.q ?? null,
    tier: one.tier ?? null,
    input_tokens: one.usage?.input ?? null,
    output_tokens: one.usage?.output ?? null,
    cache_write_tokens: one.usage?.cacheWrite ?? null,
    cache_read_tokens: one.usage?.cacheRead ?? null,
    cost_usd: one.costUsd ?? null,
    cost_usd_is_lower_bound: one.costIsLowerBound,
    why: one.why,
    path: one.path === '' ? null : one.path,
  };
}
