import { encode } from '../../api/wire.ts';
import { draftView } from '../../decomposition/views/prompt-views.ts';
import { draftGoldenCase } from '../../operations/decomposition/draft-golden-case.ts';
import { CONFIG_OPTION, DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

export const command = defineCommand({
  name: 'decomposition new',
  summary: 'Draft a golden case from a text: concepts, relationships and canaries to correct',
  positionals: { usage: 'CASE', min: 1, max: 1 },
  options: {
    text: {
      type: 'path',
      required: true,
      value: 'FILE',
      doc: 'The text, 300 to 800 words; longer texts are cut at a paragraph',
    },
    topic: { type: 'text', value: 'WORDS', doc: 'Topic of the case (default: its name)' },
    domain: { type: 'text', value: 'NAME', doc: 'Domain of the case, e.g. technical' },
    golden: { type: 'path', value: 'DIR', default: 'golden', doc: 'The golden cases' },
    format: DOCUMENT_FORMAT_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay decomposition new tidal-marsh --text notes/marsh.txt --domain ecological'],
  notes: ['Never overwrites a case. No gate passes on a draft until you delete its "draft" line.'],
  run: async (args, terminal) => {
    const [id = ''] = args.positionals;
    const { text, topic, domain, golden } = args.values;
    const rules = (await readSettings(args, terminal)).config.decomposition.golden;
    const request = { id, text, golden, rules, topic, domain };
    const draft = await withPorts(args, terminal, (ports) => draftGoldenCase(request, ports));
    await printResult(args, terminal, {
      document: () => draftView(draft),
      json: async () => encode((await import('../../api/schema/decomposition.ts')).goldenDraft, draft),
    });
    return 0;
  },
});
