import { encode } from '../api/wire.ts';
import { planRoutes, ROUTE_WISHES } from '../operations/session/plan-routes.ts';
import { routeView } from '../session/views/route.ts';
import { ROUTERS, routerConfig } from '../session/views/router-config.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from './command.ts';
import { printResult } from './print-result.ts';
import { look } from './sessions/ask.ts';
import { LOOKING_OPTIONS, PATHS } from './sessions/options.ts';
import { sessionsGiven } from './sessions/session-request.ts';

const { aims, usual } = ROUTE_WISHES;

export const command = defineCommand({
  name: 'route',
  summary: 'Recommend a model per task type, by past quality and cost',
  positionals: PATHS,
  options: {
    aim: {
      type: 'choice',
      choices: aims,
      default: usual.aim,
      doc: 'cost: the cheapest good enough model; quality: the best affordable model',
    },
    floor: {
      type: 'number',
      min: 0,
      max: 1,
      value: '0..1',
      default: usual.floor,
      doc: 'Minimum mean Q of a model',
    },
    margin: {
      type: 'number',
      min: 0,
      max: 1,
      value: '0..1',
      default: usual.margin,
      doc: 'How much lower Q, or higher failure rate, than the best model counts as equal',
    },
    'max-cost': { type: 'number', above: 0, value: 'USD', doc: 'Maximum mean cost of a session' },
    least: {
      type: 'number',
      min: 2,
      whole: true,
      default: usual.least,
      value: 'N',
      doc: 'Minimum sessions of a model before it is judged',
    },
    explore: {
      type: 'number',
      min: 0,
      max: 1,
      value: '0..1',
      default: usual.explore,
      doc: 'Share of tasks for models with too few sessions',
    },
    models: { type: 'list', value: 'NAMES', doc: 'Only these models, separated by commas' },
    replay: { type: 'flag', doc: 'Also replay the policy on the same sessions' },
    router: { type: 'choice', choices: ROUTERS, doc: 'Print the configuration of a router instead' },
    format: DOCUMENT_FORMAT_OPTION,
    ...LOOKING_OPTIONS,
  },
  examples: [
    'assay route --replay',
    'assay route --aim quality --max-cost 0.50 --since 30d',
    'assay route --router litellm > litellm.yaml',
  ],
  run: async (args, terminal) => {
    const { router, models, replay, aim, floor, margin, least, explore, 'max-cost': capUsd } = args.values;
    const wishes = { aim, floor, margin, least, explore, capUsd };
    const result = await look(args, terminal, (request, ports) =>
      planRoutes({ ...request, wishes, replay, models }, ports),
    );
    const isRouted = result.policy.types.some(({ answer }) => answer === 'route');
    if (router !== undefined) {
      if (isRouted) terminal.print(routerConfig(result.policy, router));
      else terminal.note('assay: Not enough data to route by; assay route shows what is missing.\n');
      return isRouted ? 0 : 2;
    }
    await printResult(args, terminal, {
      json: async () => encode((await import('../api/schema/route.ts')).route, result),
      document: () => routeView(result, sessionsGiven(args)),
    });
    return isRouted ? 0 : 2;
  },
});
