/** The examples that come with the package, measured, in a few lines each. */
import { setFlagsFromString } from 'node:v8';
import { config } from 'zod';
import { configSchema } from '../config.ts';
import { defaultPorts } from '../operations/default-ports.ts';
import { listExampleSessions, measureExample, scoreExampleReviews } from '../operations/measure-examples.ts';
import { verdictView } from '../report/verdict-view.ts';
import type { ListBlock, View } from '../report/view.ts';
import { sessionListView } from '../session/views/session-list.ts';
import { whatWasSeen } from '../session/views/wording.ts';
import { scoreView } from '../workflow/views/score.ts';

/** Independent of the machine. */
export async function measureFirstLook(): Promise<View> {
  compileLess();
  const ports = defaultPorts();
  try {
    const { decomposition } = configSchema.parse({});
    const request = { thresholds: decomposition, matchLevel: decomposition.matchLevel, keep: false };
    const list = await listExampleSessions({ home: '', environment: {} }, ports);
    const reviews = scoreView(await scoreExampleReviews(ports));
    const { verdict } = await measureExample(request, ports);
    return {
      title: 'Assay',
      answer:
        'No agent sessions were found on this machine. Assay measures the work of language models without calling one: how an agent’s session went, what a review finds, and what a model extracts from a text. Here is a bundled example of each.',
      blocks: [
        example('Sessions: how did it go, and for how much?', [
          sessionListView(list).answer,
          ...list.listed.slice(0, 1).map(whatWasSeen),
          'assay example sessions · where Assay looks for yours: assay sessions sources',
        ]),
        example('Workflow: how many known errors does a review find?', [
          `${reviews.title}. ${reviews.answer}`,
          'assay example workflow · your own: assay workflow score --help',
        ]),
        example('Decomposition: is the extraction from a text right and complete?', [
          `${verdict.subject}, ${verdict.gate.verdict}: ${verdictView(verdict, []).answer}`,
          'assay example · your own: assay decomposition run --help',
        ]),
      ],
      notes: ['Nothing was written, and nothing leaves this machine.'],
      next: [{ operation: 'example sessions' }, { operation: 'sessions sources' }, { operation: 'help' }],
    };
  } finally {
    await ports.close();
  }
}

/** Three small examples are measured once: what compiles code for many takes longer here than it saves. */
function compileLess(): void {
  config({ jitless: true });
  setFlagsFromString('--regexp-tier-up-ticks=100');
}

function example(title: string, items: readonly string[]): ListBlock {
  return { kind: 'list', title, items };
}
