import { encode } from '../../api/wire.ts';
import { importView } from '../../decomposition/views/import-view.ts';
import { AssayError } from '../../errors.ts';
import { readMap } from '../../operations/decomposition/defaults.ts';
import { importGolden } from '../../operations/decomposition/import-golden.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand, STORE_OPTIONS } from '../command.ts';
import { EXTRACTOR_OPTIONS, measuredExtractor } from '../decomposition/extractor-options.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

export const command = defineCommand({
  name: 'golden import',
  summary: 'Draft golden cases in bulk: JSONL, CSV, Langfuse, promptfoo, production requests',
  positionals: { usage: '[FILE]', max: 1 },
  options: {
    production: { type: 'flag', doc: 'Import from the stored texts of production requests' },
    since: { type: 'text', value: 'TIME', doc: 'With --production: only requests since this time' },
    limit: {
      type: 'number',
      min: 1,
      max: 10_000,
      whole: true,
      value: 'N',
      default: 100,
      doc: 'At most N cases',
    },
    domain: { type: 'text', value: 'NAME', doc: 'Domain of cases without one in the file' },
    golden: { type: 'path', value: 'DIR', default: 'golden', doc: 'The golden cases' },
    map: { type: 'text', value: 'PATHS', doc: 'How to read answers in your own format' },
    ...EXTRACTOR_OPTIONS,
    format: DOCUMENT_FORMAT_OPTION,
    ...STORE_OPTIONS,
  },
  examples: [
    'assay golden import texts.jsonl --domain technical',
    'assay golden import langfuse-export.json --limit 20',
    'assay golden import promptfooconfig.yaml --extractor llm --model ollama/qwen3:8b',
    'assay golden import --production --since 2026-11-01',
  ],
  notes: [
    'Every case is a draft: no gate passes on it until you have corrected it and its "draft" line is gone. Texts that are cases already are skipped.',
  ],
  run: async (args, terminal) => {
    const { config } = await readSettings(args, terminal);
    const { production, since, limit, domain, golden, map } = args.values;
    const [path] = args.positionals;
    if ((path === undefined) === (production !== true))
      throw new AssayError('USAGE', 'golden import takes either a file or --production');
    const request = {
      from: path === undefined ? { production: { ...(since && { since }) } } : { path },
      golden: golden ?? 'golden',
      limit: limit ?? 100,
      rules: config.decomposition.golden,
      extraction: measuredExtractor(args, terminal, config.decomposition),
      ...(domain !== undefined && { domain }),
      ...(map !== undefined && { map: readMap(map) }),
    };
    const imported = await withPorts(args, terminal, (ports) => importGolden(request, ports));
    await printResult(args, terminal, {
      document: () => importView(imported),
      json: async () => encode((await import('../../api/schema/decomposition.ts')).goldenImport, imported),
    });
    return imported.drafted.length === 0 ? 2 : 0;
  },
});
