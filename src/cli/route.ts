import { encodeRoute } from '../api/encode/route.ts';
import { planRoutes } from '../operations/session/plan-routes.ts';
import { routeDocument } from '../session/documents/route.ts';
import { ROUTERS, type Router, routerConfig } from '../session/documents/router-config.ts';
import type { Command } from './command.ts';
import { DOCUMENT_FORMAT_OPTION } from './format-options.ts';
import { printResult } from './print-result.ts';
import { WISHES_OPTIONS, wishesOf } from './route-wishes.ts';
import { look } from './sessions/ask.ts';
import { LOOKING_OPTIONS } from './sessions/looking-options.ts';
import { PATHS } from './sessions/options.ts';
import { sessionsGiven } from './sessions/session-request.ts';
import { textOf } from './text-of.ts';

export const command: Command = {
  name: 'route',
  summary: 'Which model should take which kind of work, from what each gave and cost',
  positionals: PATHS,
  options: {
    ...WISHES_OPTIONS,
    models: { type: 'string', value: 'NAMES', doc: 'Only these models, with commas' },
    replay: { type: 'boolean', doc: 'Also say what this would have given on the same sessions' },
    router: { type: 'string', choices: ROUTERS, doc: 'Print the settings of a router instead' },
    format: DOCUMENT_FORMAT_OPTION,
    ...LOOKING_OPTIONS,
  },
  examples: [
    'assay route --replay',
    'assay route --aim quality --max-cost 0.50 --since 30d',
    'assay route --router litellm > litellm.yaml',
  ],
  run: async (args, terminal) => {
    const router = textOf(args, 'router') as Router | undefined;
    const models = textOf(args, 'models')
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const replay = args.values.replay === true;
    const wishes = wishesOf(args);
    const result = await look(args, terminal, (request, ports) =>
      planRoutes({ ...request, wishes, replay, ...(models && { models }) }, ports),
    );
    const isRouted = result.policy.types.some(({ answer }) => answer === 'route');
    if (router !== undefined) {
      if (isRouted) terminal.print(routerConfig(result.policy, router));
      else terminal.note('assay: There is nothing to route by; assay route says what is missing.\n');
      return isRouted ? 0 : 2;
    }
    await printResult(args, terminal, {
      json: () => encodeRoute(result),
      document: () => routeDocument(result, sessionsGiven(args, command.options)),
    });
    return isRouted ? 0 : 2;
  },
};
