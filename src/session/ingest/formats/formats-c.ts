/** Benchmark results, spans and the neutral format, the most particular first. */
import { neutral } from './neutral.ts';
import { openHands } from './openhands.ts';
import { otlp } from './otlp.ts';
import { sweAgent } from './swe-agent.ts';
import { tau } from './tau.ts';
import { tau2 } from './tau2.ts';

export const FORMATS_C = [otlp, tau, tau2, sweAgent, openHands, neutral] as const;
