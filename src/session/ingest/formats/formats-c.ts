/** Benchmark results, spans and the neutral format, the most particular first. */
import { neutral } from './neutral/adapter.ts';
import { openHands } from './openhands/adapter.ts';
import { otlp } from './otlp/adapter.ts';
import { sweAgent } from './swe-agent/adapter.ts';
import { tau } from './tau-bench/adapter.ts';
import { tau2 } from './tau2-bench/adapter.ts';

export const FORMATS_C = [otlp, tau, tau2, sweAgent, openHands, neutral] as const;
