/**
 * Known vulnerabilities of the dependencies, from the registry. `npm run audit` exits with 1 for a high or critical one
 * in what is released, and with 2 where the registry could not be reached: unknown is not passed.
 */
import { spawnSync } from 'node:child_process';
import { z } from 'zod';

const answer = z.looseObject({
  metadata: z.looseObject({
    vulnerabilities: z.record(z.string(), z.number()),
  }),
  vulnerabilities: z.record(z.string(), z.looseObject({ severity: z.string() })),
});

export type Audited =
  | { readonly state: 'passed'; readonly counts: Readonly<Record<string, number>> }
  | { readonly state: 'weak'; readonly names: readonly string[] }
  | { readonly state: 'not asked'; readonly why: string };

const WEAK = ['high', 'critical'];

/** `npm audit --json` exits with 1 for vulnerabilities and for errors alike: only its output distinguishes them. */
export function readAudit(stdout: string, stderr: string): Audited {
  const parsed = answer.safeParse(jsonOf(stdout));
  if (!parsed.success) {
    const why =
      stderr.split('\n').find((line) => /\b(?:E[A-Z\d]{3,}|\d{3})\b|endpoint/.test(line)) ?? 'no answer';
    return {
      state: 'not asked',
      why: why.replace(/^npm \w+ /, '').replaceAll(/https?:\/\/\S+/g, 'the registry'),
    };
  }
  const { vulnerabilities, metadata } = parsed.data;
  const names = Object.entries(vulnerabilities)
    .filter(([, { severity }]) => WEAK.includes(severity))
    .map(([name, { severity }]) => `${name}: ${severity}`);
  return names.length > 0 ? { state: 'weak', names } : { state: 'passed', counts: metadata.vulnerabilities };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function audit(): Audited {
  // Whoever runs this with `npm run --silent` hands on that nothing is to be said, not even why.
  const words = ['audit', '--json', '--omit=dev', '--audit=true', '--loglevel=warn'];
  const { stdout, stderr } = spawnSync('npm', words, {
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 1 << 28,
  });
  return readAudit(stdout ?? '', stderr ?? '');
}

export const sayAudit = (audited: Audited): string => {
  if (audited.state === 'not asked') return `NOT AUDITED, the registry could not be asked: ${audited.why}`;
  if (audited.state === 'weak') return `known weaknesses: ${audited.names.join(', ')}`;
  return 'no weakness that is high or critical is known';
};

if (import.meta.main) {
  const audited = audit();
  console.log(sayAudit(audited));
  process.exitCode = { passed: 0, weak: 1, 'not asked': 2 }[audited.state];
}
