import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GOLDEN_RULES } from '../golden-rules.ts';
import { likelyDomain } from './draft-case.ts';
import { readForLint } from './lint-suite.ts';

const { domains } = GOLDEN_RULES;
const casesIn = (folder: string) => readForLint(folder, GOLDEN_RULES).cases.map(({ golden }) => golden);

it('is right as often as docs/production-briefs.md says', () => {
  const shipped = casesIn('golden');
  const right = shipped.filter(
    (one) =>
      likelyDomain(
        one.sourceText,
        shipped.filter((other) => other !== one),
        domains,
      ) === one.domain,
  );
  expect(readFileSync('docs/production-briefs.md', 'utf8')).toContain(
    `of the ${shipped.length} shipped ones, each held against the others, ${right.length} come out right`,
  );
});

it('puts most texts into the domain that somebody gave them, whatever is listed first', () => {
  const shipped = casesIn('golden');
  const right = casesIn('examples/decomposition/golden').filter(
    ({ sourceText, domain }) => likelyDomain(sourceText, shipped, domains) === domain,
  );
  expect(right.length).toBeGreaterThanOrEqual(4);
});

it('is no surer of a domain because few cases are of it', () => {
  const soil = { domain: 'ecological', topic: 'soil', sourceText: 'roots hold soil' };
  const money = { domain: 'economic', topic: 'money', sourceText: 'banks lend money' };
  expect(likelyDomain('nothing known here', [soil, money, money], domains)).toBeUndefined();
  expect(likelyDomain('banks', [soil, money, money], domains)).toBe('economic');
  expect(likelyDomain('banks', [money], domains)).toBeUndefined();
});
