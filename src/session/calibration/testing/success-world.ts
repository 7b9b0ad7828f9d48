/** Sessions with known chances of success, drawn from a simulation in which tasks, projects and models differ. */
import { random } from '../../../stats/random.ts';
import type { KnownCase } from '../success-model.ts';

export type World = {
  readonly seed: number;
  readonly outcomes: number;
  readonly tasks: number;
  readonly projects: number;
  readonly models: number;
  /** Standard deviation of each of the three effects. */
  readonly spread: number;
  /** Of the logit, per standard deviation of Q. */
  readonly slope: number;
};

type Truth = {
  readonly start: number;
  readonly world: World;
  readonly effects: ReadonlyMap<string, number>;
};

export function drawKnown(world: World): { readonly cases: readonly KnownCase[]; readonly truth: Truth } {
  const source = random(world.seed);
  const uniform = () => (source.below(1_000_000) + 0.5) / 1_000_000;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const effects = new Map<string, number>();
  for (const [kind, n] of [
    ['task', world.tasks],
    ['project', world.projects],
    ['model', world.models],
  ] as const)
    for (let i = 0; i < n; i++) effects.set(`${kind} ${i}`, world.spread * normal());
  const truth: Truth = { start: 0.5 * normal(), world, effects };
  const cases = Array.from({ length: world.outcomes }, (): KnownCase => {
    const task = source.below(world.tasks);
    const one = {
      numbers: [0.8 + 0.1 * normal()],
      task: `task ${task}`,
      // A task always belongs to the same project.
      project: `project ${task % world.projects}`,
      model: `model ${source.below(world.models)}`,
    };
    return { ...one, success: uniform() < rateOf(one, truth) };
  });
  return { cases, truth };
}

type Drawn = Pick<KnownCase, 'numbers' | 'model' | 'project' | 'task'>;

export function rateOf(one: Drawn, truth: Truth): number {
  return 1 / (1 + Math.exp(-logitOf(one, truth) - (truth.effects.get(one.task ?? '') ?? 0)));
}

/** Over all possible tasks. */
export function meanRate(one: Drawn, truth: Truth): number {
  const STEPS = 200;
  let [sum, weights] = [0, 0];
  for (let i = -STEPS; i <= STEPS; i++) {
    const z = (4 * i) / STEPS;
    const weight = Math.exp(-0.5 * z * z);
    sum += weight / (1 + Math.exp(-logitOf(one, truth) - truth.world.spread * z));
    weights += weight;
  }
  return sum / weights;
}

function logitOf(
  { numbers: [q = 0.8], model = '', project = '' }: Drawn,
  { start, world, effects }: Truth,
): number {
  return start + world.slope * ((q - 0.8) / 0.1) + (effects.get(model) ?? 0) + (effects.get(project) ?? 0);
}
