/** What is remembered between the lines of a chat with Aider. */
import { basename, dirname, resolve } from 'node:path';
import type { UnplacedEvent, Usage } from '../../../event.ts';
import type { FileInfo } from '../format.ts';

export type AiderState = {
  /** The folder of the history: a session is called by it and by when it began. */
  readonly folder: string;
  /** What a program printed names no session. */
  session: string | undefined;
  begun: boolean;
  at: number | undefined;
  model: string | undefined;
  /** In a history what the program says and what was typed are marked; in what it prints nothing is. */
  marked: boolean;
  /** Lines of the question that is being read. */
  asked: string[];
  /** The answer that is being read. */
  said: string;
  usage: Usage | undefined;
  costUsd: number | undefined;
  messages: number;
};

export type SendAider = (event: UnplacedEvent) => void;

export function startAider({ path }: FileInfo): AiderState {
  return {
    folder: basename(dirname(resolve(path))),
    session: undefined,
    begun: false,
    at: undefined,
    model: undefined,
    marked: false,
    asked: [],
    said: '',
    usage: undefined,
    costUsd: undefined,
    messages: 0,
  };
}
