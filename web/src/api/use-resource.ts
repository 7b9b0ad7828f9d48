import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { z } from 'zod';
import type { agents } from '../../../src/api/schema/metrics.ts';
import type { View } from '../../../src/report/view.ts';
import {
  AS_VIEW,
  addressOf,
  asProblem,
  cached,
  get,
  type Problem,
  type Query,
  untilQuiet,
} from './client.ts';
import { type LiveEvent, onEvent } from './events.ts';

export type Resource<Data> = {
  readonly data: Data | undefined;
  /** When the data came, in milliseconds since 1970. */
  readonly at: number | undefined;
  readonly problem: Problem | undefined;
  /** True while something is on its way. */
  readonly loading: boolean;
  readonly reload: () => void;
};

type State<Data> = Omit<Resource<Data>, 'reload'> & { readonly address: string | undefined };

/** Several events within this time are one reason to ask again. */
const GATHER_MS = 300;

/**
 * The answer of the server at an address, updated when one of the named events arrives. `undefined` requests nothing.
 * While a new answer loads, the previous one of the same address is shown. A `later` request does not delay others.
 */
export function useResource<Data>(
  path: string | undefined,
  query: Query = {},
  events: readonly string[] = [],
  { later = false, view = false, patch }: ResourceOptions<Data> = {},
): Resource<Data> {
  const address = path === undefined ? undefined : `${addressOf(path, query)}${view ? AS_VIEW : ''}`;
  const [state, setState] = useState<State<Data>>(() => cachedState(address));
  const [asked, setAsked] = useState(0);
  const reload = () => setAsked((count) => count + 1);
  // Asking again is the purpose of `asked`.
  useEffect(() => {
    if (address === undefined) return setState(cachedState(undefined));
    const abort = new AbortController();
    setState((before) => (before.address === address ? { ...before, loading: true } : cachedState(address)));
    const turn = later ? untilQuiet() : Promise.resolve();
    const asking = turn.then(() => {
      abort.signal.throwIfAborted();
      return get<Data>(address, abort.signal);
    });
    asking.then(
      (data) => setState({ address, data, at: Date.now(), problem: undefined, loading: false }),
      (fault: unknown) => {
        if (abort.signal.aborted) return;
        setState((before) => ({ ...before, problem: asProblem(fault), loading: false }));
      },
    );
    return () => abort.abort();
  }, [address, asked]);
  useEvents(events, (some) => {
    const isShown = state.address === address && state.data !== undefined;
    const data = isShown ? patch?.(state.data as Data, some) : undefined;
    if (data === undefined) reload();
    else setState({ ...state, data, at: Date.now() });
  });
  useReturn(reload);
  const shown = state.address === address ? state : cachedState<Data>(address);
  return { ...shown, reload };
}

type ResourceOptions<Data> = {
  readonly later?: boolean;
  readonly view?: boolean;
  /** The data with what events say; undefined where the server has to be asked. */
  readonly patch?: ((data: Data, events: readonly LiveEvent[]) => Data | undefined) | undefined;
};

/** The same result described for people, for `<View>`. */
export function useView(
  path: string | undefined,
  query?: Query,
  events?: readonly string[],
  options: { readonly later?: boolean } = {},
): Resource<View> {
  return useResource(path, query, events, { ...options, view: true });
}

function cachedState<Data>(address: string | undefined): State<Data> {
  const known = address === undefined ? undefined : cached(address);
  return {
    address,
    data: known?.data as Data | undefined,
    at: known?.at,
    problem: undefined,
    loading: address !== undefined,
  };
}

/** Reloads when the user returns to the page; unchanged answers are not sent again. */
function useReturn(handle: () => void): void {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') handle();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
}

/** Calls once with all events of these names that come shortly after each other. */
function useEvents(names: readonly string[], handle: (events: readonly LiveEvent[]) => void): void {
  const wanted = names.join(' ');
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    if (wanted === '') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const gathered: LiveEvent[] = [];
    const stop = onEvent(wanted.split(' '), (event) => {
      gathered.push(event);
      clearTimeout(timer);
      timer = setTimeout(() => latest.current(gathered.splice(0)), GATHER_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [wanted]);
}

/** Agents as people call them: `claude-code` is Claude Code. Until the server has said so, an id is its own name. */
const names = signal<ReadonlyMap<string, string>>(new Map());

export function agentName(agent: string): string {
  return names.value.get(agent) ?? agent;
}

/** Once, around all pages. */
export function AgentNames(): null {
  const { data } = useResource<z.infer<typeof agents>>('agents');
  useEffect(() => {
    if (data !== undefined) names.value = new Map(data.agents.map(({ agent, name }) => [agent, name]));
  }, [data]);
  return null;
}
