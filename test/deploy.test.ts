/** The files that deploy Assay say only what the product has: its ports, options, variables, paths, probes and limits. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command as serve } from '../src/cli/serve.ts';
import { ABOUT } from '../src/server/resources/about.ts';
import { LIMITS } from '../src/server/security/limits.ts';
import { ownHosts } from '../src/server/security/origin.ts';
import { placeOf } from '../src/store/clickhouse/address.ts';
import {
  type Container,
  FORMS,
  readCompose,
  readImage,
  readManifests,
  readYaml,
  stagesOf,
} from './deploy-files.ts';

const { version, devDependencies, files } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  devDependencies: Record<string, string>;
  files: string[];
};
const image = readImage();
const compose = readCompose();
const port = String(serve.options.port?.default);

const source = globSync('{src,bin}/**/*.{ts,js}')
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

/** Every option is one of the command, and names that others reach it by are there where others reach it. */
function expectServe(words: readonly string[]): void {
  expect(words[0]).toBe('serve');
  for (const word of words.filter((one) => one.startsWith('--')))
    expect(Object.keys(serve.options)).toContain(word.slice(2));
  expect(words[words.indexOf('--host') + 1]).toBe('0.0.0.0');
}

const allowed = (words: readonly string[] = []) => words[words.indexOf('--allow-host') + 1]?.split(',') ?? [];

/** That the product reads it; what others read is named. */
function expectVariables(names: readonly string[], others: readonly string[] = []): void {
  for (const name of names.filter((one) => !others.includes(one))) expect(source, name).toContain(name);
}

const probed = (text: string) => /127\.0\.0\.1:(\d+)(\/\w+)/.exec(text)?.slice(1);
const open = ABOUT.filter(({ scope }) => scope === 'none').map(({ path }) => path);

describe('the container', () => {
  const stages = stagesOf(readFileSync('deploy/container/Dockerfile', 'utf8'));

  it('is made of one Node, that of the tests', () => {
    const [, major, minor] = /(\d+)\.(\d+)/.exec(devDependencies.node ?? '') ?? [];
    for (const [from] of stages) expect(from?.rest).toMatch(`node:${major}.${minor}-bookworm-slim`);
  });

  it('runs as nobody special, and writes only into its volume', () => {
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect([image.env.HOME, image.folder]).toEqual([image.volume, image.volume]);
    expect(image.env.ASSAY_STORE?.startsWith(`${image.volume}/`)).toBe(true);
    expectVariables(Object.keys(image.env), ['NODE_ENV']);
  });

  it('serves at the port it exposes, and asks after its health where no token is needed', () => {
    expectServe(image.command);
    expect(image.port).toBe(port);
    expect(probed(image.health.join(' '))).toEqual([port, expect.toBeOneOf(open)]);
  });

  it('is built from all that the package is made of', () => {
    const ignored = readFileSync('deploy/container/Dockerfile.dockerignore', 'utf8').split('\n');
    const needed = ['src', 'web', 'build', 'package.json', 'package-lock.json', 'tsconfig.json', ...files];
    for (const name of needed.filter((one) => one !== 'dist'))
      expect(ignored.flatMap((line) => [line, line.replace('**/', '')])).not.toContain(name.split('/')[0]);
    for (const name of ['.git', '**/node_modules', 'dist']) expect(ignored).toContain(name);
  });
});

describe('compose', () => {
  const { assay, clickhouse, prometheus, grafana } = compose.services;

  it('runs this version with options, variables, port and volume that it has', () => {
    expect(assay.image).toBe(`assay:${version}`);
    expectServe(assay.command ?? []);
    expectVariables(Object.keys(assay.environment ?? {}));
    expect(assay.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(assay.volumes).toEqual([`assay:${image.volume}`]);
    expect(probed(assay.healthcheck.test.join(' '))).toEqual([port, '/readyz']);
    expect(Number.parseInt(assay.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(2 * LIMITS.graceMs);
  });

  it('locks down what others can reach', () => {
    expect(assay).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    for (const { ports = [] } of Object.values(compose.services))
      for (const one of ports) expect(one).toMatch(/^127\.0\.0\.1:/);
  });

  it('connects them by names, accounts and files that are there', () => {
    const place = placeOf(assay.environment?.ASSAY_STORE ?? '', {});
    expect(place).toMatchObject({
      urls: ['http://clickhouse:8123'],
      database: clickhouse.environment?.CLICKHOUSE_DB,
    });
    expect(assay.environment?.ASSAY_CLICKHOUSE_USER).toBe(clickhouse.environment?.CLICKHOUSE_USER);
    const scraped = readYaml<{
      rule_files: string[];
      scrape_configs: {
        authorization: { credentials_file: string };
        static_configs: { targets: string[] }[];
      }[];
    }>('deploy/compose/prometheus.yml');
    const [job] = scraped.scrape_configs;
    expect(job?.static_configs).toEqual([{ targets: [`assay:${port}`] }]);
    expect(allowed(assay.command)).toContain('assay');
    expect(job?.authorization.credentials_file).toBe(`/run/secrets/${prometheus.secrets?.[0]}`);
    for (const rules of scraped.rule_files)
      expect(prometheus.volumes?.some((one) => one.endsWith(`/etc/prometheus/${rules}:ro`))).toBe(true);
    const { datasources } = readYaml<{ datasources: { url: string }[] }>(
      'deploy/compose/grafana/datasource.yaml',
    );
    expect(datasources.map(({ url }) => url)).toEqual(['http://prometheus:9090']);
    const { providers } = readYaml<{ providers: { options: { path: string } }[] }>(
      'deploy/compose/grafana/dashboards.yaml',
    );
    expect(grafana.volumes).toContain(`../grafana:${providers[0]?.options.path}:ro`);
  });

  it('names no file, volume, secret or service that is not there, and pins what it runs', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      for (const mount of service.volumes ?? []) {
        const [from = ''] = mount.split(':');
        if (from.startsWith('.')) expect(existsSync(join('deploy/compose', from)), from).toBe(true);
        else expect(Object.keys(compose.volumes)).toContain(from);
      }
      for (const secret of service.secrets ?? [])
        expect(compose.secrets[secret]?.file).toMatch(/^\.\/secrets\//);
      for (const path of Object.values(service.environment ?? {}).filter((one) =>
        one.startsWith('/run/secrets/'),
      ))
        expect(service.secrets, name).toContain(path.slice('/run/secrets/'.length));
      const needed = Array.isArray(service.depends_on)
        ? service.depends_on
        : Object.keys(service.depends_on ?? {});
      for (const one of needed) expect(Object.keys(compose.services)).toContain(one);
      expect(service.image).toMatch(/:v?\d+\.\d+/);
    }
    expect(readFileSync('.gitignore', 'utf8')).toContain('/deploy/compose/secrets/');
  });
});

describe.each(FORMS)('Kubernetes, %s', (form) => {
  const manifests = readManifests(form);
  const workload = manifests.find(({ spec }) => spec.template !== undefined);
  const pod = workload?.spec.template?.spec;
  const [server] = pod?.containers ?? [];
  const containers: readonly Container[] = [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];

  it('runs this version, with options and variables that it has', () => {
    const { images, resources } = readYaml<{
      images: { name: string; newTag: string }[];
      resources: string[];
    }>(`deploy/kubernetes/${form}/kustomization.yaml`);
    expect(images).toMatchObject([{ name: 'assay', newTag: version }]);
    expect(resources.toSorted()).toEqual(
      globSync('*.yaml', { cwd: `deploy/kubernetes/${form}` })
        .filter((name) => name !== 'kustomization.yaml')
        .toSorted(),
    );
    expectServe(server?.args ?? []);
    const names = server?.env?.map(({ name }) => name) ?? [];
    const used = [...(server?.args ?? []).join(' ').matchAll(/\$\((\w+)\)/g)].map(([, name = '']) => name);
    expectVariables(names, used);
    for (const name of used) expect(names).toContain(name);
  });

  it('is refused by no cluster that lets in only what is locked down', () => {
    expect(pod?.automountServiceAccountToken).toBe(false);
    expect(pod?.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: Number(image.user.split(':')[0]),
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const { securityContext, resources } of containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(Object.keys(resources.limits)).toEqual(['cpu', 'memory']);
      expect(Object.keys(resources.requests)).toEqual(['cpu', 'memory']);
    }
  });

  it('asks after its health at the port it listens at, by a name it answers to, without a token', () => {
    expect(server?.ports).toEqual([{ name: 'http', containerPort: Number(port) }]);
    const { startupProbe, livenessProbe, readinessProbe } = server ?? {};
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
      expect(open).toContain(probe?.httpGet.path);
      expect(probe?.httpGet.port).toBe('http');
      const host = probe?.httpGet.httpHeaders.find(({ name }) => name === 'Host')?.value;
      expect(ownHosts('0.0.0.0', [])).toContain(host);
    }
    // A ClickHouse that is away must not have every node ended.
    expect(livenessProbe?.httpGet.path).toBe('/healthz');
    expect(readinessProbe?.httpGet.path).toBe('/readyz');
    // Prometheus asks a pod by its address, others ask the service.
    expect(allowed(server?.args)).toEqual(['assay', '$(POD_IP)', '$(ASSAY_NAME)']);
  });

  it('leaves time to end what is on its way', () => {
    const waited = Number(server?.lifecycle?.preStop.exec.command[1] ?? 0);
    expect((pod?.terminationGracePeriodSeconds ?? 0) - waited).toBeGreaterThan((2 * LIMITS.graceMs) / 1000);
  });

  it('mounts what it writes to, and finds its tokens where the server looks', () => {
    const volumes = [
      ...(pod?.volumes ?? []).map(({ name }) => name),
      ...(workload?.spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
    ];
    for (const { volumeMounts } of containers)
      for (const { name } of volumeMounts) expect(volumes).toContain(name);
    expect(server?.volumeMounts.map(({ mountPath }) => mountPath)).toContain(image.volume);
    expect(pod?.initContainers[0]?.command?.at(-1)).toBe(`${image.env.HOME}/.config/assay/tokens.json`);
  });

  it('selects its own pods, and lets in and out what it needs', () => {
    const labels = workload?.spec.template?.metadata.labels;
    expect(workload?.spec.selector?.matchLabels).toEqual(labels);
    for (const { kind, spec } of manifests) {
      if (kind === 'Service') expect(spec.selector).toEqual(labels);
      if (kind === 'Service') expect(spec.ports).toMatchObject([{ port: Number(port), targetPort: 'http' }]);
      if (kind === 'PodDisruptionBudget') expect(spec.selector?.matchLabels).toEqual(labels);
      if (kind === 'PodDisruptionBudget')
        expect(spec.maxUnavailable).toBeLessThan(workload?.spec.replicas ?? 0);
      if (kind !== 'NetworkPolicy') continue;
      expect(spec.podSelector?.matchLabels).toEqual(labels);
      expect(spec.ingress?.flatMap(({ ports }) => ports.map((one) => one.port))).toEqual([Number(port)]);
      const out = spec.egress?.flatMap(({ ports }) => ports.map((one) => one.port)) ?? [];
      const clickhouse = ['clickhouse://a', 'https://a'].map((one) =>
        Number(new URL(placeOf(one, {}).urls[0] ?? one).port),
      );
      expect(out).toEqual([53, 53, ...(form === 'fleet' ? clickhouse : [])]);
    }
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(
      form === 'fleet'
        ? ['Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service']
        : ['NetworkPolicy', 'Service', 'StatefulSet'],
    );
  });
});
