import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../config.ts';
import { defaultPorts } from '../default-ports.ts';
import { examplePlace, measureExample } from '../measure-examples.ts';
import { readCase } from './read-case.ts';
import { runSuite } from './run-suite.ts';

const { decomposition } = configSchema.parse({});
const MEASURING = { thresholds: decomposition, matchLevel: decomposition.matchLevel };

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-read-case-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('shows the text of an example, wherever whoever looks at it is', async () => {
  const ports = defaultPorts();
  onTestFinished(() => ports.close());
  const { verdict } = await measureExample(MEASURING, ports);
  const request = { runId: verdict.validity.runId, caseId: 'urban-heat', folder: scratch() };
  expect((await readCase(request, ports)).text).toMatchObject({ state: 'here', asMeasured: true });
});

it('reads no golden cases of other folders', async () => {
  const ports = defaultPorts();
  onTestFinished(() => ports.close());
  const elsewhere = scratch();
  cpSync(examplePlace('decomposition'), elsewhere, { recursive: true });
  const { verdict } = await runSuite(
    {
      golden: join(elsewhere, 'golden'),
      source: { kind: 'recorded', folder: join(elsewhere, 'outputs') },
      subject: 'mine',
      semantic: false,
      keep: true,
      ...MEASURING,
    },
    ports,
  );
  const { runId } = verdict.validity;
  const ask = async (folder: string) => (await readCase({ runId, caseId: 'urban-heat', folder }, ports)).text;
  expect(await ask(scratch())).toMatchObject({ state: 'absent' });
  expect(await ask(elsewhere)).toMatchObject({ state: 'here' });
});
