/** Every format there is. Files are shown to them in this order, places are looked through in this order. */

import { aider } from './aider/format.ts';
import { amp } from './amp/format.ts';
import { antigravity } from './antigravity/format.ts';
import { atif } from './atif/format.ts';
import { claudeCode } from './claude-code/format.ts';
import { cline } from './cline/format.ts';
import { codex } from './codex/format.ts';
import { codexExec } from './codex-exec/format.ts';
import { continueDev } from './continue/format.ts';
import { copilotCli } from './copilot-cli/format.ts';
import { crush } from './crush/format.ts';
import { cursor } from './cursor/format.ts';
import { cursorTranscript } from './cursor-transcript/format.ts';
import { droid } from './droid/format.ts';
import type { Format } from './format.ts';
import { gemini } from './gemini/format.ts';
import { geminiStream } from './gemini-stream/format.ts';
import { goose } from './goose/format.ts';
import { grok } from './grok/format.ts';
import { hermes } from './hermes/format.ts';
import { inspectAi } from './inspect-ai/format.ts';
import { kimi } from './kimi/format.ts';
import { langfuse } from './langfuse/format.ts';
import { neutral } from './neutral/format.ts';
import { openclaw } from './openclaw/format.ts';
import { opencode } from './opencode/format.ts';
import { opencodeRun } from './opencode-run/format.ts';
import { openhands } from './openhands/format.ts';
import { otlp } from './otlp/format.ts';
import { otlpCodex } from './otlp-codex/format.ts';
import { otlpLogs } from './otlp-logs/format.ts';
import { pi } from './pi/format.ts';
import { qwenCode } from './qwen-code/format.ts';
import { streamJson } from './stream-json/format.ts';
import { sweAgent } from './swe-agent/format.ts';
import { tauBench } from './tau-bench/format.ts';
import { tau2Bench } from './tau2-bench/format.ts';

export const FORMATS: readonly Format[] = [
  claudeCode,
  codex,
  gemini,
  openclaw,
  pi,
  opencode,
  qwenCode,
  copilotCli,
  kimi,
  cursor,
  cursorTranscript,
  cline,
  goose,
  crush,
  amp,
  continueDev,
  grok,
  droid,
  hermes,
  antigravity,
  aider,
  streamJson,
  opencodeRun,
  codexExec,
  geminiStream,
  otlpLogs,
  otlpCodex,
  otlp,
  langfuse,
  tauBench,
  tau2Bench,
  atif,
  inspectAi,
  sweAgent,
  openhands,
  neutral,
];
