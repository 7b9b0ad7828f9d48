import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProject, type Project, type RunJson } from '../decomposition-project.ts';

let project: Project;
beforeEach(() => {
  project = openProject();
});
afterEach(() => project.close());

const assay = (...words: string[]) => project.assay(...words);
const json = (...words: string[]) => project.json(...words);

describe('the history', () => {
  it('alerts after three declines in a row, in the run and in the trend, with charts', async () => {
    expect(await assay('trend')).toMatchObject({
      status: 2,
      stdout: expect.stringContaining('No complete run'),
    });
    for (const found of [10, 9, 8]) {
      project.outputs('outputs', { found, model: 'm' });
      expect((await json('run', '--outputs', 'outputs')).notes.join()).not.toMatch(/in a row/);
    }
    expect((await assay('trend')).stdout.replace(/\s+/g, ' ')).toMatch(
      /0\.85 → 0\.80 over 3 runs of recorded m; nothing fell three runs/,
    );
    project.outputs('outputs', { found: 7, model: 'm' });
    expect((await json('run', '--outputs', 'outputs')).notes.join()).toMatch(
      /Overall score fell 3 runs in a row/,
    );
    // What is in the history is enough, whatever the store has.
    const history = project.readJson('metrics-history.json');
    project.write('metrics-history.json', JSON.stringify({ ...history, runs: history.runs.slice(0, 3) }));
    expect((await json('run', '--outputs', 'outputs', '--no-store')).notes.join()).toMatch(
      /fell 3 runs in a row/,
    );
    const { status, stdout } = await assay('trend');
    expect(status).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/▲ Alert: .*Overall score fell 3 runs in a row/);
    expect(stdout).toMatch(/[▁-█]{4}/);
    expect((await assay('trend', '--weekly', '--format', 'html')).stdout).toContain('<svg');
    const [weekly] = JSON.parse((await assay('trend', '--weekly', '--format', 'json')).stdout).series;
    expect(weekly.metrics.overall).toMatchObject({ alert: true, declines: 3 });
    expect(weekly.metrics.overall.points).toHaveLength(1);
    expect(weekly.metrics.overall.points[0]).toMatchObject({
      runs: 4,
      week: expect.stringMatching(/^\d{4}-W\d\d$/),
    });
    expect(weekly.metrics.overall.points[0].value).toBeCloseTo((0.85 + 0.825 + 0.8 + 0.775) / 4, 12);
  });

  it('takes outputs of one kind for one series, whatever folder each run was recorded in', async () => {
    for (const found of [10, 9, 8, 7]) project.outputs(`week-${found}`, { found });
    const alerts: number[] = [];
    for (const found of [10, 9, 8, 7]) {
      const { trends } = await json('run', '--outputs', `week-${found}`);
      alerts.push(trends.filter(({ alert }) => alert).length);
    }
    expect(alerts.slice(0, 3)).toEqual([0, 0, 0]);
    expect(alerts[3]).toBeGreaterThan(0);
    expect((await assay('trend')).stdout).toMatch(/▲ Alert: /);
  });

  it('loses no run of several that end at once', { timeout: 240_000 }, async () => {
    project.outputs('outputs', { found: 9 });
    const words = ['run', '--outputs', 'outputs', '--format', 'json'];
    const ended = await Promise.all(Array.from({ length: 5 }, () => project.start(words)));
    const ids = ended.map(({ stdout }) => (JSON.parse(stdout) as RunJson).run.id);
    const listed = project.readJson('metrics-history.json').runs.map((run: { run_id: string }) => run.run_id);
    expect(listed.toSorted()).toEqual(ids.toSorted());
  });
});
