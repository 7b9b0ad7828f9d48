import type { LanguageModel } from 'ai';
import { AssayError } from '../errors.ts';
import { isSecret } from '../secrets.ts';
import { OLLAMA_ADDRESS, ollamaFetch } from './ollama.ts';

export type ModelEnvironment = Readonly<Record<string, string | undefined>>;

export type OpenModel = {
  /** As it was named: `openai/gpt-5-mini`. */
  readonly spec: string;
  readonly provider: ProviderName;
  readonly id: string;
  readonly language: LanguageModel;
  /** The address, when it is not the provider's own. */
  readonly address?: string;
  /** What must never be seen in a message. */
  readonly secrets: readonly string[];
};

type Access = { readonly apiKey: string; readonly baseURL?: string };

type Provider = {
  /** The variables that hold the key and the address, as the SDK names them. */
  readonly key: string;
  readonly address: string;
  readonly keyOptional?: true;
  readonly open: (id: string, access: Access) => Promise<LanguageModel>;
};

/** A redirect would send the key and the text to another server. */
const fetchWithoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

/** Each provider's package is loaded on demand. */
const PROVIDERS = {
  openai: {
    key: 'OPENAI_API_KEY',
    address: 'OPENAI_BASE_URL',
    open: async (id, access) =>
      (await import('@ai-sdk/openai')).createOpenAI({ ...access, fetch: fetchWithoutRedirects })(id),
  },
  anthropic: {
    key: 'ANTHROPIC_API_KEY',
    address: 'ANTHROPIC_BASE_URL',
    open: async (id, access) =>
      (await import('@ai-sdk/anthropic')).createAnthropic({ ...access, fetch: fetchWithoutRedirects })(id),
  },
  google: {
    key: 'GOOGLE_GENERATIVE_AI_API_KEY',
    address: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    open: async (id, access) =>
      (await import('@ai-sdk/google')).createGoogle({ ...access, fetch: fetchWithoutRedirects })(id),
  },
  ollama: {
    key: 'OLLAMA_API_KEY',
    address: 'OLLAMA_HOST',
    keyOptional: true,
    open: async (id, { apiKey, baseURL = OLLAMA_ADDRESS }) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: 'ollama',
        baseURL,
        fetch: ollamaFetch(fetchWithoutRedirects),
        ...(apiKey !== '' && { apiKey }),
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(id);
    },
  },
  compatible: {
    key: 'OPENAI_COMPATIBLE_API_KEY',
    address: 'OPENAI_COMPATIBLE_BASE_URL',
    keyOptional: true,
    open: async (id, { apiKey, baseURL = '' }) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: 'compatible',
        baseURL,
        fetch: fetchWithoutRedirects,
        ...(apiKey !== '' && { apiKey }),
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(id);
    },
  },
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof PROVIDERS;

export async function openModel(
  spec: string,
  options: { readonly baseUrl?: string; readonly env: ModelEnvironment },
): Promise<OpenModel> {
  const [name = '', ...rest] = spec.split('/');
  const id = rest.join('/');
  if (!Object.hasOwn(PROVIDERS, name) || id === '') {
    const known = Object.keys(PROVIDERS).map((one) => `${one}/<model>`);
    throw new AssayError('USAGE', `"${spec}" is not a model`, { remedy: `Name it as ${known.join(', ')}.` });
  }
  const provider: Provider = PROVIDERS[name as ProviderName];
  const apiKey = options.env[provider.key]?.trim() ?? '';
  if (apiKey === '' && provider.keyOptional === undefined) {
    throw new AssayError('MODEL_KEY_MISSING', `${spec} needs a key and ${provider.key} is not set`);
  }
  const named = options.env[provider.address] || undefined;
  const fromEnvironment = name === 'ollama' && named !== undefined ? withScheme(named) : named;
  const baseURL = checkAddress(options.baseUrl ?? fromEnvironment, provider);
  if (baseURL === undefined && name === 'compatible') {
    throw new AssayError('USAGE', `${spec} needs the address of its server`, {
      remedy: [
        { say: 'Name it, for example', options: { 'base-url': 'http://localhost:11434/v1' } },
        { say: `set ${provider.address}` },
      ],
    });
  }
  return {
    spec,
    provider: name as ProviderName,
    id,
    language: await provider.open(id, { apiKey, baseURL }),
    ...(baseURL !== undefined && { address: baseURL.replace(/(?<!\/)\/+$/, '') }),
    secrets: isSecret(apiKey) ? [apiKey] : [],
  };
}

/** Ollama's own variable may be `host:port`, and 0.0.0.0 where the server listens everywhere. */
function withScheme(host: string): string {
  const address = /^https?:\/\//.test(host) ? host : `http://${host}`;
  return address.replace('//0.0.0.0', '//127.0.0.1');
}

function checkAddress(address: string | undefined, provider: Provider): string | undefined {
  if (address === undefined) return undefined;
  const parsed = URL.parse(address);
  if (parsed !== null && parsed.username + parsed.password !== '') {
    throw new AssayError('USAGE', 'the address of the model server contains a name or password', {
      remedy: `Give the key in ${provider.key} instead.`,
    });
  }
  // The path is appended to it, so a query would break it; it may also contain a key.
  if (parsed !== null && /[?#]/.test(address)) {
    throw new AssayError('USAGE', 'the address of the model server holds a question mark or number sign', {
      remedy: `Leave out what follows it; give the key in ${provider.key}.`,
    });
  }
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return address;
  throw new AssayError('USAGE', 'the address of the model server is not an http address', {
    remedy: [
      { say: 'Correct it, for example', options: { 'base-url': 'http://localhost:8000/v1' } },
      { say: `correct ${provider.address}` },
    ],
  });
}
