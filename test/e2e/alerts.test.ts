import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alertList, alertStory } from '../../src/api/schema/alert.ts';
import { productionCheck } from '../../src/api/schema/production.ts';
import { requests } from '../../src/operations/alerts/testing/requests.ts';
import { openStore } from '../../src/store/open.ts';
import { commandFolder } from '../command-folder.ts';

const folder = commandFolder();
const { assay } = folder;

const ID = 'errors-high:production:1';

async function failingService(): Promise<void> {
  const store = await openStore(join(folder.path, '.local/share/assay/assay.db'));
  await store.appendDecompositions(
    requests('bad', 60, Date.now(), (i) => (i % 5 === 0 ? { status: 'error', errorKind: 'timeout' } : {})),
  );
  await store.close();
}

describe('alerts from the command line', () => {
  it('fire once, are acknowledged, silenced, resolved and opened again', async () => {
    expect((await assay('production', 'check')).status).toBe(2);
    await failingService();
    const first = await assay('production', 'check', '--format', 'json');
    expect(first.status).toBe(1);
    expect(productionCheck.parse(JSON.parse(first.stdout)).fired).toEqual([ID]);
    const second = await assay('production', 'check');
    expect(second.stdout).toContain('1 rule of 9 beyond the line: errors-high.');
    expect(second.stdout).not.toContain('Fired');
    const listed = await assay('alerts', 'list', '--state', 'open', '--format', 'json');
    expect(alertList.parse(JSON.parse(listed.stdout)).items.map(({ id }) => id)).toEqual([ID]);
    expect((await assay('alerts', 'list')).stdout).toContain(ID);
    expect((await assay('alerts', 'show', ID)).stdout).toContain('check that the API');
    for (const [verb, state] of [
      ['acknowledge', 'acknowledged'],
      ['silence', 'silenced'],
      ['resolve', 'resolved'],
      ['reopen', 'open'],
    ] as const) {
      const { stdout, status } = await assay('alerts', verb, ID, '--why', 'a try', '--format', 'json');
      expect(status).toBe(0);
      const story = alertStory.parse(JSON.parse(stdout));
      expect([story.alert.state, story.events.at(-1)?.why]).toEqual([state, 'a try']);
    }
    expect(
      alertStory.parse(JSON.parse((await assay('alerts', 'show', ID, '--format', 'json')).stdout)).events,
    ).toHaveLength(4);
  });

  it('that nobody knows are said to be unknown, and an id is asked for', async () => {
    expect((await assay('alerts', 'show', 'nothing')).stderr).toContain('no alert has the id "nothing"');
    expect((await assay('alerts', 'resolve')).stderr).toContain('needs ID');
  });

  it('are not looked at where somebody is to be told and the secret for it is missing', async () => {
    await failingService();
    folder.write('assay.config.json', { alerts: { slack: 'TEAM_SLACK' } });
    const { stderr, status } = await assay('production', 'check');
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining('the variable TEAM_SLACK, which is not set'),
    ]);
  });
});
