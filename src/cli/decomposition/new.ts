import { encodeGoldenDraft } from '../../api/encode/golden-draft.ts';
import { draftDocument } from '../../decomposition/documents/draft-document.ts';
import { AssayError } from '../../errors.ts';
import { draftGoldenCase } from '../../operations/decomposition/draft-golden-case.ts';
import { CONFIG_OPTION, type Command } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { filledText } from './option-values.ts';

export const command: Command = {
  name: 'decomposition new',
  summary: 'Draft a golden case from a text: concepts, relationships and canaries to correct',
  positionals: { usage: 'CASE', max: 1 },
  options: {
    text: { type: 'string', value: 'FILE', doc: 'The text, 300 to 800 words; more is cut at a paragraph' },
    topic: { type: 'string', value: 'WORDS', doc: 'What it is about (default: the name of the case)' },
    domain: { type: 'string', value: 'NAME', doc: 'Its domain, e.g. technical' },
    golden: { type: 'string', value: 'DIR', default: 'golden', doc: 'The golden cases' },
    format: DOCUMENT_FORMAT_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay decomposition new tidal-marsh --text notes/marsh.txt --domain ecological'],
  notes: ['Never writes over a case. No gate passes on a draft until somebody has deleted its "draft" line.'],
  run: async (args, terminal) => {
    const [id] = args.positionals;
    const text = filledText(args, 'text');
    if (id === undefined || text === undefined)
      throw new AssayError('USAGE', 'assay decomposition new needs the name of a case and a text', {
        remedy: 'E.g. assay decomposition new tidal-marsh --text texts/tidal-marsh.txt.',
      });
    const { config } = await readSettings(args, terminal);
    const [topic, domain] = [filledText(args, 'topic'), filledText(args, 'domain')];
    const request = {
      id,
      text,
      golden: filledText(args, 'golden') ?? 'golden',
      rules: config.decomposition.golden,
      topic,
      domain,
    };
    const draft = await withPorts(args, terminal, (ports) => draftGoldenCase(request, ports));
    await printResult(args, terminal, {
      document: () => draftDocument(draft),
      json: () => encodeGoldenDraft(draft),
    });
    return 0;
  },
};
