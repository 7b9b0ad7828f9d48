/**
 * How well the fold recognises checks, and their verdicts, in real shell commands. The labels come from an earlier
 * recogniser and were corrected by reading. Commands that plainly only read (git, ls, cat, grep) were filtered out
 * unread and count as no check. Labels contain ids and verdicts, no text. The rules were improved on the same sessions,
 * so the figures are optimistic twice, and misses of both are invisible.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Event } from '../event.ts';
import { claudeCodeAdapter } from '../ingest/formats/claude-code/adapter.ts';
import type { Adapter } from '../ingest/formats/format.ts';
import { piAdapter } from '../ingest/formats/pi.ts';
import { outcomeOf } from './call-outcome.ts';
import { verdictOf } from './checks.ts';
import { classifyTool } from './classify-tool.ts';
import type { Effect } from './state.ts';

const DATA = '../shared/data/session';
const FOLDERS: readonly (readonly [folder: string, adapter: Adapter])[] = [
  ['claude-code/sessions', claudeCodeAdapter],
  ['pi', piAdapter],
];

type Verdict = 'passed' | 'failed';
type Label = { readonly file: string; readonly line: number; readonly check: Verdict };

function eventsOf(path: string, adapter: Adapter): Event[] {
  const events: Event[] = [];
  const state = adapter.start({ path });
  readFileSync(path, 'utf8')
    .split('\n')
    .forEach((line, index) => {
      if (line !== '') adapter.step(state, JSON.parse(line), index + 1, (event) => events.push(event));
    });
  return events;
}

/** `file:line` of every shell command, with the combined verdict of its checks. */
function verdicts(): Map<string, Verdict | undefined> {
  const found = new Map<string, Verdict | undefined>();
  for (const [folder, adapter] of FOLDERS) {
    for (const name of readdirSync(`${DATA}/${folder}`).filter((one) => one.endsWith('.jsonl'))) {
      const open = new Map<string, { line: number; effects: Effect[] }>();
      const files = new Set<number>();
      for (const event of eventsOf(`${DATA}/${folder}/${name}`, adapter)) {
        if (event.kind === 'call') {
          const { kind, effects } = classifyTool(event.tool, event.input);
          for (const one of effects) if (one.does === 'touch' && one.file !== undefined) files.add(one.file);
          if (kind === 'shell') open.set(event.callId, { line: event.line, effects });
        }
        const call = event.kind === 'result' ? open.get(event.callId) : undefined;
        if (event.kind !== 'result' || call === undefined) continue;
        const seen = call.effects.map((one) => {
          if (one.does !== 'check' || (one.file !== undefined && !files.has(one.file))) return undefined;
          if (one.builds !== undefined) files.add(one.builds);
          return verdictOf(one, outcomeOf(event, 'shell'), event.text, event.ok === true);
        });
        const verdict = seen.includes(false) ? 'failed' : seen.includes(true) ? 'passed' : undefined;
        found.set(`${folder}/${name}:${call.line}`, verdict);
      }
    }
  }
  return found;
}

describe.skipIf(!existsSync(DATA))('checks in the shared sessions', () => {
  it('are recognised with a precision and a recall of at least 0.9', { timeout: 120_000 }, () => {
    const labels = JSON.parse(readFileSync('test/fixtures/session/checks/labels.json', 'utf8')) as Label[];
    const right = new Map(labels.map(({ file, line, check }) => [`${file}:${line}`, check]));
    const said = verdicts();
    const found = [...said].filter(([, verdict]) => verdict !== undefined);
    const hits = found.filter(([id]) => right.has(id));
    const agreed = hits.filter(([id, verdict]) => right.get(id) === verdict);
    process.stdout.write(
      `${said.size} commands, ${right.size} checks: precision ${hits.length}/${found.length}, recall ${hits.length}/${right.size}, verdict right in ${agreed.length}/${hits.length}\n`,
    );
    expect(right.size).toBeGreaterThan(150);
    expect(hits.length / found.length).toBeGreaterThanOrEqual(0.9);
    expect(hits.length / right.size).toBeGreaterThanOrEqual(0.9);
    expect(agreed.length / hits.length).toBeGreaterThanOrEqual(0.9);
  });
});
