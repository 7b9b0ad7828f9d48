/** The files below `deploy/`, read as what runs them reads them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export type Instruction = { readonly word: string; readonly flags: readonly string[]; readonly rest: string };

/** The stages of a container file, each from its FROM on. */
export function stagesOf(text: string): readonly (readonly Instruction[])[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [word = '', ...words] = line.trim().split(/\s+/);
    const count = words.findIndex((one) => !one.startsWith('--'));
    const one = { word, flags: words.slice(0, count), rest: words.slice(count).join(' ') };
    if (word === 'FROM') stages.push([one]);
    else stages.at(-1)?.push(one);
  }
  return stages;
}

export type Image = {
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly health: readonly string[];
  readonly user: string;
  readonly volume: string;
  readonly folder: string;
  readonly port: string;
};

/** What the last stage of the container file makes. */
export function readImage(): Image {
  const last = stagesOf(readFileSync('deploy/container/Dockerfile', 'utf8')).at(-1) ?? [];
  const only = (word: string) => {
    const found = last.filter((one) => one.word === word);
    if (found.length !== 1) throw new Error(`${found.length} × ${word}`);
    return found[0]?.rest ?? '';
  };
  const words = (text: string) => JSON.parse(text) as string[];
  return {
    env: Object.fromEntries(
      only('ENV')
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
    entrypoint: words(only('ENTRYPOINT')),
    command: words(only('CMD')),
    health: words(only('HEALTHCHECK').replace(/^CMD /, '')),
    user: only('USER'),
    volume: only('VOLUME'),
    folder: only('WORKDIR'),
    port: only('EXPOSE'),
  };
}

export type Service = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly healthcheck: { readonly test: readonly string[] };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
};

export type Compose = {
  readonly services: Readonly<Record<'assay' | 'clickhouse' | 'prometheus' | 'grafana', Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};

export function readYaml<Shape>(path: string): Shape {
  return parse(readFileSync(path, 'utf8'), { merge: true }) as Shape;
}

export const readCompose = () => readYaml<Compose>('deploy/compose/compose.yaml');

type Probe = {
  readonly httpGet: {
    readonly path: string;
    readonly port: string;
    readonly httpHeaders: readonly { readonly name: string; readonly value: string }[];
  };
};

export type Container = {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string } };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly resources: Readonly<
    Record<'requests' | 'limits', { readonly cpu: string; readonly memory: string }>
  >;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
};

type Labels = Readonly<Record<string, string>>;

export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly maxUnavailable?: number;
    readonly selector?: Labels & { readonly matchLabels?: Labels };
    readonly podSelector?: { readonly matchLabels: Labels };
    readonly ports?: readonly { readonly port: number; readonly targetPort: string }[];
    readonly ingress?: readonly { readonly ports: readonly { readonly port: number }[] }[];
    readonly egress?: readonly { readonly ports: readonly { readonly port: number }[] }[];
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
    readonly template?: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: {
        readonly automountServiceAccountToken: boolean;
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: Readonly<Record<string, unknown>>;
        readonly initContainers: readonly Container[];
        readonly containers: readonly Container[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
};

export const FORMS = ['fleet', 'single'] as const;

/** What is applied, without what only kustomize reads. */
export function readManifests(form: (typeof FORMS)[number]): readonly Manifest[] {
  const folder = join('deploy/kubernetes', form);
  return globSync('*.yaml', { cwd: folder })
    .filter((name) => name !== 'kustomization.yaml')
    .toSorted()
    .flatMap((name) =>
      parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((one) => one.toJS() as Manifest),
    );
}
