import { describe, expect, it } from 'vitest';
import { contrastOf } from './contrast.ts';

describe('labels that name different things', () => {
  it.each([
    ['horizontal scaling', 'vertical scaling'],
    ['aerobic respiration', 'anaerobic respiration'],
    ['supervised learning', 'unsupervised learning'],
    ['linear model', 'non-linear model'],
    ['hypertension', 'hypotension'],
    ['over-fitting', 'under-fitting'],
    ['overfitting', 'underfitting'],
    ['symmetric encryption', 'asymmetric encryption'],
    ['type 1 error', 'type 2 error'],
    ['vitamin B', 'vitamin C'],
    ['first wave', 'second wave'],
    ['growth with inflation', 'growth without inflation'],
    ['increase in supply', 'decrease in supply'],
    ['inflow', 'outflow'],
    ['learning', 'deep learning'],
    ['gerrymandering', 'partisan gerrymander'],
    ['internal nutrient loading', 'nutrient load'],
  ])('%j and %j', (one, other) => {
    expect(contrastOf(one, other)).toBe('contrast');
    expect(contrastOf(other, one)).toBe('contrast');
  });
});

describe('labels of which one word decides', () => {
  it.each([
    ['partisan gerrymandering', 'racial gerrymandering'],
    ['soil fertility', 'soil erosion'],
    ['training data', 'training dataset'],
  ])('%j and %j', (one, other) => {
    expect(contrastOf(one, other)).toBe('close');
  });
});

describe('labels that no rule tells apart', () => {
  it.each([
    ['heart attack', 'myocardial infarction'],
    ['time series analysis', 'analysis of time series'],
    ['demand forecast', 'demand forecasting'],
    ['fire suppression', 'suppression of fires'],
    ['shape optimisation', 'shape optimization technique'],
    ['bank lending', 'lending by banks'],
  ])('%j and %j', (one, other) => {
    expect(contrastOf(one, other)).toBeUndefined();
  });
});
