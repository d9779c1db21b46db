import { parseAllDocuments } from "yaml";
import type { z } from "zod";
import {
  closingSeconds,
  commandFaults,
  image,
  inFile,
  missingVariables,
  probePaths,
  shutdownDelaySeconds,
  variableFaults,
} from "./facts.testing.ts";
import {
  type Container,
  kustomization,
  type Pod,
  type Resource,
  resource,
} from "./kubernetesSchemas.testing.ts";

type Files = Readonly<Record<string, string>>;
type Kind<Name extends Resource["kind"]> = Extract<Resource, { kind: Name }>;

const problemsOf = (error: z.ZodError) =>
  error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);

const parse = (text: string) => {
  const documents = parseAllDocuments(text);
  const errors = documents.flatMap((one) => one.errors.map(({ message }) => message));
  const parsed = documents.map((one) => resource.safeParse(one.toJS()));
  return {
    faults: [...errors, ...parsed.flatMap(({ error }) => (error ? problemsOf(error) : []))],
    resources: parsed.flatMap(({ data }) => (data ? [data] : [])),
  };
};

/** The settings of a container: those of the image, of the ConfigMaps, and its own. */
const environmentOf = ({ env, envFrom }: Container, maps: readonly Kind<"ConfigMap">[]) =>
  new Map([
    ...image.variables,
    ...envFrom.flatMap(({ configMapRef: { name } }) =>
      Object.entries(maps.find(({ metadata }) => metadata.name === name)?.data ?? {}),
    ),
    ...env.map(({ name, value }) => [name, value] as const),
  ]);

/** Liveness never depends on the database, and readiness does. A worker answers at METRICS_PORT only. */
const probeFaults = (own: Container, environment: ReadonlyMap<string, string>) => {
  const expected = {
    startupProbe: "/healthz",
    livenessProbe: "/healthz",
    readinessProbe: "/readyz",
  };
  const variable = own.args[0] === "worker" ? "METRICS_PORT" : "PORT";
  return Object.entries(expected).flatMap(([kind, path]) => {
    const probe = own[kind as keyof typeof expected];
    if (!probe) return [`${kind} is missing`];
    const port = own.ports.find(({ name }) => name === probe.httpGet.port)?.containerPort;
    return [
      ...(probe.httpGet.path === path && probePaths.includes(path)
        ? []
        : [`${kind} must ask ${path}`]),
      ...(String(port) === environment.get(variable) ? [] : [`${kind} must ask ${variable}`]),
    ];
  });
};

const stopFaults = (pod: Pod, own: Container, environment: ReadonlyMap<string, string>) => {
  const words = own.lifecycle?.preStop.exec.command ?? [];
  const [, waitMs = "0"] = /setTimeout\(\(\) => \{\}, (\d+)\)/.exec(words.at(-1) ?? "") ?? [];
  const delay = Number(environment.get("SHUTDOWN_DELAY_SECONDS") ?? shutdownDelaySeconds);
  const needed = Number(waitMs) / 1000 + delay + closingSeconds;
  return pod.terminationGracePeriodSeconds >= needed
    ? []
    : [`terminationGracePeriodSeconds must be at least ${needed}`];
};

/** Every `_FILE` is in a mounted Secret, and every mount has its volume. */
const secretFaults = (pod: Pod, own: Container) => {
  const files = own.volumeMounts.flatMap(({ name, mountPath }) =>
    pod.volumes
      .filter((volume) => volume.name === name)
      .flatMap((volume) => ("secret" in volume ? volume.secret.items : []))
      .map(({ path }) => `${mountPath}/${path}`),
  );
  return [
    ...own.env
      .filter(({ name, value }) => name.endsWith("_FILE") && !files.includes(value))
      .map(({ name }) => `the file of ${name} isn't mounted`),
    ...own.volumeMounts
      .filter(({ name }) => !pod.volumes.some((volume) => volume.name === name))
      .map(({ name }) => `the volume ${name} doesn't exist`),
    ...(own.volumeMounts.some(({ mountPath }) => mountPath === "/tmp") ? [] : ["/tmp is missing"]),
  ];
};

const podFaults = (pod: Pod, maps: readonly Kind<"ConfigMap">[]) =>
  pod.containers.flatMap((own) => {
    const environment = environmentOf(own, maps);
    const isJob = pod.restartPolicy !== undefined;
    return [
      ...own.envFrom
        .filter(
          ({ configMapRef: { name } }) => !maps.some(({ metadata }) => metadata.name === name),
        )
        .map(({ configMapRef: { name } }) => `the ConfigMap ${name} doesn't exist`),
      ...[...environment].flatMap(([name, value]) => variableFaults(name, value)),
      ...missingVariables([...environment.keys()]),
      ...commandFaults(own.args),
      ...secretFaults(pod, own),
      ...(pod.securityContext.runAsUser === image.user ? [] : ["the image has another user"]),
      ...(isJob ? [] : [...probeFaults(own, environment), ...stopFaults(pod, own, environment)]),
    ];
  });

const matches = (labels: Record<string, string>, own: Record<string, string>) =>
  Object.entries(labels).every(([name, value]) => own[name] === value);

/** What a resource refers to by name or by labels. */
const referenceFaults = (one: Resource, all: readonly Resource[]) => {
  const deployments = all.filter((other) => other.kind === "Deployment");
  const selects = (labels: Record<string, string>) =>
    deployments.some(({ spec }) => matches(labels, spec.template.metadata.labels));
  if (one.kind === "PodDisruptionBudget" || one.kind === "Deployment")
    return selects(one.spec.selector.matchLabels) ? [] : ["no Deployment has these labels"];
  if (one.kind === "Service") {
    const chosen = deployments.filter(({ spec }) =>
      matches(one.spec.selector, spec.template.metadata.labels),
    );
    const ports = chosen
      .flatMap(({ spec }) => spec.template.spec.containers)
      .flatMap(({ ports }) => ports);
    return one.spec.ports
      .filter(
        ({ targetPort }) =>
          targetPort === "metrics" || !ports.some(({ name }) => name === targetPort),
      )
      .map(({ targetPort }) => `no container has the port ${targetPort}, or it isn't public`);
  }
  if (one.kind === "HorizontalPodAutoscaler") {
    const { name } = one.spec.scaleTargetRef;
    const target = deployments.find(({ metadata }) => metadata.name === name);
    if (!target) return [`the Deployment ${name} doesn't exist`];
    return target.spec.replicas === undefined ? [] : [`${name} has its own number of replicas`];
  }
  if (one.kind === "Ingress")
    return one.spec.rules
      .flatMap(({ http }) => http.paths)
      .filter(
        ({ backend: { service } }) =>
          !all.some(
            (other) =>
              other.kind === "Service" &&
              other.metadata.name === service.name &&
              other.spec.ports.some(({ name }) => name === service.port.name),
          ),
      )
      .map(({ backend: { service } }) => `the Service ${service.name} doesn't exist`);
  return [];
};

const kustomizationFaults = (text: string, files: Files) => {
  const [document] = parseAllDocuments(text);
  const parsed = kustomization.safeParse(document && "toJS" in document ? document.toJS() : null);
  if (!parsed.success) return problemsOf(parsed.error);
  return parsed.data.resources
    .filter((name) => !Object.hasOwn(files, name))
    .map((name) => `${name} doesn't exist`);
};

/** What is wrong with the files of a folder. */
export const kubernetesFaults = (files: Files) => {
  const { "kustomization.yaml": list = "", ...others } = files;
  const parsed = Object.entries(others).map(([file, text]) => ({ file, ...parse(text) }));
  const all = parsed.flatMap(({ resources }) => resources);
  const maps = all.filter((one) => one.kind === "ConfigMap");
  return [
    ...inFile("kustomization.yaml", kustomizationFaults(list, others)),
    ...parsed.flatMap(({ file, faults, resources }) =>
      inFile(file, [
        ...faults,
        ...resources.flatMap((one) => referenceFaults(one, all)),
        ...resources.flatMap((one) =>
          one.kind === "Deployment" || one.kind === "Job"
            ? podFaults(one.spec.template.spec, maps)
            : [],
        ),
      ]),
    ),
  ];
};
