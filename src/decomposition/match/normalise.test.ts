import { describe, expect, it } from 'vitest';
import { normalise, spellings, withoutOf } from './normalise.ts';

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
    ['na\u00efve Bayes', 'naive Bayes'],
    ['\u03b2-lactam', 'beta-lactam'],
    ['TNF-\u03b1', 'TNF alpha'],
    ['supply & demand', 'supply and demand'],
    ['U.S. economy', 'US economy'],
    ['\u0141\u00f3d\u017a', 'Lodz'],
    ['The tide', 'tide'],
    ['an estuary', 'estuary'],
    ['GLOBAL WARMING IN THE US', 'global warming in the us'],
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
    ['US', 'us'],
    ['IT', 'it'],
    ['A level', 'level'],
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

it.each([
  ['e-mail', 'email'],
  ['on-line banking', 'online banking'],
  ['non-linear model', 'nonlinear models'],
  ['e-mails', 'email'],
  ['photo-synthesis', 'photosynthesis'],
  ['anti-virus', 'antivirus'],
  ['bio-mass', 'biomass'],
  ['micro-economics', 'microeconomics'],
  ['wi-fi', 'wifi'],
])('a hyphen parts or joins: %j = %j', (one, other) => {
  expect(spellings(one).some((key) => spellings(other).includes(key))).toBe(true);
});

it.each([
  ['ML', 'M-L'],
  ['k-means', 'k-mean'],
])('a hyphen between other letters is part of the name: %j ≠ %j', (one, other) => {
  expect(spellings(one).some((key) => spellings(other).includes(key))).toBe(false);
});

it('turns names around an "of", and nothing else', () => {
  expect(withoutOf('Rate of inflation')).toBe('inflation rate');
  expect(withoutOf('theory of the firm')).toBe('firm theory');
  expect(withoutOf('tax income')).toBeUndefined();
  expect(withoutOf('end of the age of sail')).toBeUndefined();
});

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
