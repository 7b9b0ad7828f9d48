import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import '../library/vitest.ts';

const GOLDEN = 'examples/decomposition/golden/urban-heat.gold.json';
const output = JSON.parse(readFileSync('examples/decomposition/outputs/urban-heat.json', 'utf8')) as object;
const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as { forbiddenConcepts?: string[] };

describe('what expect can ask', () => {
  it('is the standard, for a golden case or its file', async () => {
    await expect(output).toMeetRow3(GOLDEN);
    await expect({ ...output, concepts: [] }).not.toMeetRow3(GOLDEN, { line: 'fail' });
  });

  it('is the recall, and says what is missing', async () => {
    // Eight of nine concepts are in the output.
    await expect(output).toRecallConcepts(GOLDEN, 8 / 9);
    await expect(expect(output).toRecallConcepts(GOLDEN, 0.9)).rejects.toThrow('missed: waste heat');
  });

  it('is that nothing forbidden was extracted', async () => {
    await expect(output).toHaveNoHallucinations(GOLDEN);
    const [forbidden = ''] = golden.forbiddenConcepts ?? [];
    const invented = { ...output, concepts: [{ label: forbidden }] };
    await expect(expect(invented).toHaveNoHallucinations(GOLDEN)).rejects.toThrow(`forbidden: ${forbidden}`);
  });

  it('is a Q, and an error where there is none', async () => {
    await expect('examples/session/shop').toReachQ(0.1);
    await expect(expect('examples/session/nowhere').not.toReachQ(0.1)).rejects.toThrow();
  });

  it('is how much a review finds, how often it is right, and whether it improved', async () => {
    const [truth, runs] = ['examples/workflow/truth/webhook-relay.yaml', 'examples/workflow/runs'];
    // Detection 66.7%, precision 0.97; review-1 has 36.1% and 0.75.
    await expect(`${runs}/review-2`).toReachDetectionRate(truth, 66);
    await expect(expect(`${runs}/review-2`).toReachDetectionRate(truth, 67)).rejects.toThrow('asked for 67');
    await expect(`${runs}/review-1`).not.toReachPrecision(truth, 0.8);
    await expect(`${runs}/review-2`).toImproveOn(`${runs}/review-1`, truth);
    await expect(expect(`${runs}/review-1`).toImproveOn(`${runs}/review-2`, truth)).rejects.toThrow('worse');
  });

  it('is refused where it could not be meant, with and without not', async () => {
    const wants = /wants a number from 0 to 1, not (undefined|NaN|90)/;
    for (const share of [undefined, Number.NaN, 90] as number[]) {
      await expect(expect(output).not.toRecallConcepts(GOLDEN, share)).rejects.toThrow(wants);
      await expect(expect('examples/session/shop').not.toReachQ(share)).rejects.toThrow(wants);
    }
    const line = 'fial' as 'fail';
    await expect(expect(output).not.toMeetRow3(GOLDEN, { line })).rejects.toThrow('target and fail');
  });
});
