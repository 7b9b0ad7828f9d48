import { describe, expect, it } from 'vitest';
import { normalise } from './normalise.ts';

describe('one spelling', () => {
  it.each([
    ['COVID-19', 'COVID 19'],
    ['COVID\u201119', 'covid-19'],
    ['state-of-the-art', 'State of the art'],
    ['write_ahead_log', 'write-ahead log'],
    ['Moore\u2019s law', "Moore's law"],
    ['A/B testing', 'a b testing'],
    ['Node.js', 'node js'],
    ['\uff2d\uff2c', 'ml'],
    ['caf\u0065\u0301', 'caf\u00e9'],
    ['`marsh`', '"marsh"'],
    ['  sea   level ', 'sea level'],
    ['p<q', 'p < q'],
    ['R&D', 'r & d'],
    ['50 %', '50%'],
    ['C ++', 'c++'],
    ['n-1', 'n \u2212 1'],
    ['-5', '\u22125'],
    ['supply (economics)', 'supply, economics'],
    ['Policies', 'policy'],
    ['marshes', 'marsh'],
    ['neural networks', 'neural network'],
    ['viruses', 'virus'],
    ['databases', 'database'],
    ['analyses', 'analysis'],
    ['hypotheses', 'hypothesis'],
    ['matrices', 'matrix'],
    ['criteria', 'criterion'],
    ['greenhouse gases', 'greenhouse gas'],
    ['classes', 'class'],
    ['caches', 'cache'],
    ['boxes', 'box'],
    ['potatoes', 'potato'],
    ['movies', 'movie'],
    ['metrics', 'metric'],
    ['leaves', 'leaf'],
    ['organisations', 'organization'],
    ['behavioural', 'behavioral'],
    ['colours', 'color'],
    ['modelling', 'modeling'],
    ['sulphate', 'sulfate'],
    ['analyse', 'analyze'],
    ['kilometres', 'kilometer'],
    ['Straße', 'STRASSE'],
    ['λόγος', 'ΛΌΓΟΣ'],
    ['curricula', 'curriculum'],
    ['equilibria', 'equilibrium'],
  ])('%j = %j', (one, other) => {
    expect(normalise(one)).toBe(normalise(other));
  });
});

describe('different things', () => {
  it.each([
    ['C++', 'C#'],
    ['C++', 'C'],
    ['C#', 'C'],
    ['n+1', 'n-1'],
    ['n+1', 'n 1'],
    ['\u2211', '\u222b'],
    ['p < q', 'p > q'],
    ['p < q', 'p q'],
    ['A+', 'A'],
    ['-5', '5'],
    ['10^-3', '10^3'],
    ['50%', '50'],
    ['AT&T', 'AT T'],
    ['...', '???'],
    ['$', '\u20ac'],
    ['ML', 'M-L'],
    ['economics', 'economic'],
    ['statistics', 'statistic'],
    ['goods', 'good'],
    ['k-means', 'k-mean'],
    ['news', 'new'],
    ['arms', 'arm'],
    ['customs', 'custom'],
    ['hour', 'hor'],
    ['four', 'for'],
    ['filling', 'filing'],
    ['C', 'Cs'],
  ])('%j ≠ %j', (one, other) => {
    expect(normalise(one)).not.toBe(normalise(other));
  });
});

it.each(['analysis', 'species', 'gas', 'class', 'physics', 'series', 'lens', 'status', 'bias', 'chaos'])(
  '%s is no plural',
  (word) => {
    expect(normalise(word)).toBe(word);
  },
);

it('is its own spelling', () => {
  for (const label of [
    'C++',
    'state-of-the-art',
    '-5',
    '10^-3',
    '…',
    'p<q',
    '\u2211',
    'n \u2212 1',
    'Policies',
    'gases',
    'organisations',
  ]) {
    expect(normalise(normalise(label))).toBe(normalise(label));
  }
});
