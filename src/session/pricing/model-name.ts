/**
 * Candidate names of a model in a price table. Agents write `us.anthropic.claude-sonnet-4-v1:0`,
 * `openrouter/anthropic/claude-sonnet-4`, `models/gemini-2.5-pro` or `claude-opus-4-5[1m]` for models that the table
 * lists under another name.
 */
export type ModelNameGuess = { readonly model: string; readonly provider?: string };

/** Served by the user's own machine: no list price applies. */
const LOCAL: ReadonlySet<string> = new Set([
  'ollama',
  'ollama_chat',
  'lmstudio',
  'lm-studio',
  'lm_studio',
  'llamacpp',
  'llama.cpp',
  'llamafile',
  'vllm',
  'hosted_vllm',
  'local',
  'localhost',
]);

/** First segment of a name → its provider. Gateways that only pass requests on have none. */
const PREFIXES: ReadonlyMap<string, string | undefined> = new Map<string, string | undefined>([
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['openai-codex', 'openai'],
  ['google', 'google'],
  ['gemini', 'google'],
  ['vertex_ai', 'google'],
  ['vertex', 'google'],
  ['google-vertex', 'google'],
  ['azure', 'azure'],
  ['azure_ai', 'azure'],
  ['bedrock', 'aws'],
  ['amazon-bedrock', 'aws'],
  ['aws', 'aws'],
  ['xai', 'x-ai'],
  ['x-ai', 'x-ai'],
  ['mistral', 'mistral'],
  ['mistralai', 'mistral'],
  ['deepseek', 'deepseek'],
  ['moonshot', 'moonshotai'],
  ['moonshotai', 'moonshotai'],
  ['moonshot-ai', 'moonshotai'],
  ['minimax', 'minimax'],
  ['groq', 'groq'],
  ['cohere', 'cohere'],
  ['together_ai', 'together'],
  ['together', 'together'],
  ['fireworks_ai', 'fireworks'],
  ['openrouter', 'openrouter'],
  ['litellm', undefined],
  ['litellm_proxy', undefined],
  ['models', undefined],
  ['publishers', undefined],
]);

const BEDROCK =
  /^(?:(?:us|eu|apac|global|jp|au|ca|us-gov)\.)?(?:anthropic|amazon|meta|mistral|cohere|ai21|openai|deepseek|qwen)\./;

/** Only one list has the prices of fast answers; anywhere else the name would be taken for the plain model. */
const FAST = /^(?:anthropic\/)?(claude-[a-z]+-\d+)(?:[-.](\d{1,2}))?(?:-\d{8})?-fast$/;

/** Names are short; a longer one is not a name. */
const MAX_LENGTH = 200;

/** In the order to try them. Empty when no list price can apply: a local or fine-tuned model, or no model at all. */
export function candidatesOf(model: string, provider?: string): readonly ModelNameGuess[] {
  const name = model.trim();
  if (name === '' || name.length > MAX_LENGTH || name.startsWith('<')) return [];
  const served = provider?.trim().toLowerCase() ?? '';
  const [first = ''] = name.toLowerCase().split('/');
  if (LOCAL.has(served) || (name.includes('/') && LOCAL.has(first))) return [];
  // A fine-tuned model has its own price, not that of its base.
  if (/(?:^|\/)ft:/.test(name)) return [];
  const fast = FAST.exec(name);
  if (fast !== null)
    return [
      {
        model: `anthropic/${fast[1]}${fast[2] === undefined ? '' : `.${fast[2]}`}-fast`,
        provider: 'openrouter',
      },
    ];
  const found: ModelNameGuess[] = [];
  const add = (candidate: ModelNameGuess) => {
    if (!found.some((one) => one.model === candidate.model && one.provider === candidate.provider)) {
      found.push(candidate);
    }
  };
  const known = PREFIXES.has(served) ? PREFIXES.get(served) : served === '' ? undefined : served;
  for (const form of formsOf(name)) {
    if (BEDROCK.test(form)) add({ model: form, provider: 'aws' });
    if (known !== undefined) add({ model: form, provider: known });
    for (const candidate of byPath(form)) add(candidate);
  }
  return found;
}

/** `a/b/c` may be model `c` of provider `a`, `b/c` of a gateway, or just `c`. */
function byPath(name: string): ModelNameGuess[] {
  const parts = name.split('/');
  const candidates: ModelNameGuess[] = [{ model: name }];
  for (let from = 1; from < parts.length; from++) {
    const rest = parts.slice(from).join('/');
    const provider = PREFIXES.get(parts[from - 1]?.toLowerCase() ?? '');
    if (provider !== undefined) candidates.push({ model: rest, provider });
    candidates.push({ model: rest });
  }
  // `organisation/model` is how OpenRouter names everything.
  if (parts.length === 2) candidates.push({ model: name, provider: 'openrouter' });
  return candidates;
}

/** The name itself, then without what agents and clouds append to it. */
function formsOf(name: string): string[] {
  const bare = (
    name.split('/').length > 4 || name.startsWith('arn:') ? (name.split('/').at(-1) ?? name) : name
  )
    .replace(/\[[^\]]{0,20}\]$/, '')
    .replace(/^~/, '');
  const undated = bare.replace(/(?:@|-)\d{8}(?=$|-v\d|:)/, '').replace(/-\d{4}-\d{2}-\d{2}$/, '');
  const unversioned = undated.replace(/-v\d+(?::\d+)?$/, '');
  const plain = unversioned.replace(BEDROCK, '').replace(/-latest$/, '');
  return [...new Set([name, bare, undated, unversioned, plain])].filter((form) => form !== '');
}
