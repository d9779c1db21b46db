import { z } from "zod";

const labels = z.record(z.string(), z.string());
const named = z.looseObject({ name: z.string() });
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.string() }),
  periodSeconds: z.int(),
  timeoutSeconds: z.int().optional(),
  failureThreshold: z.int(),
});

const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()),
  envFrom: z.array(z.strictObject({ configMapRef: named })),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.int() })).default([]),
  lifecycle: z
    .strictObject({
      preStop: z.strictObject({ exec: z.strictObject({ command: z.array(z.string()) }) }),
    })
    .optional(),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  resources: z.strictObject({ requests: labels, limits: labels }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal("ALL")]) }),
  }),
  volumeMounts: z.array(
    z.strictObject({
      name: z.string(),
      mountPath: z.string(),
      readOnly: z.boolean().optional(),
    }),
  ),
});

const secretVolume = z.strictObject({
  name: z.string(),
  secret: z.strictObject({
    secretName: z.string(),
    defaultMode: z.int().max(0o777),
    items: z.array(z.strictObject({ key: z.string(), path: z.string() })),
  }),
});
const emptyVolume = z.strictObject({
  name: z.string(),
  emptyDir: z.strictObject({ medium: z.string(), sizeLimit: z.string() }),
});

const pod = z.strictObject({
  restartPolicy: z.enum(["Never", "OnFailure"]).optional(),
  automountServiceAccountToken: z.literal(false),
  enableServiceLinks: z.literal(false),
  terminationGracePeriodSeconds: z.int().default(30),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int(),
    runAsGroup: z.int(),
    fsGroup: z.int(),
    seccompProfile: z.strictObject({ type: z.literal("RuntimeDefault") }),
  }),
  containers: z.array(container).length(1),
  volumes: z.array(z.union([secretVolume, emptyVolume])),
});
export type Pod = z.output<typeof pod>;
export type Container = z.output<typeof container>;

const template = z.strictObject({ metadata: z.strictObject({ labels }), spec: pod });
const selector = z.strictObject({ matchLabels: labels });
const kindOf = <Kind extends string, Shape extends z.ZodRawShape>(
  apiVersion: string,
  kind: Kind,
  shape: Shape,
) =>
  z.strictObject({
    apiVersion: z.literal(apiVersion),
    kind: z.literal(kind),
    metadata: z.looseObject({ name: z.string() }),
    ...shape,
  });

/** The kinds in use, with the fields that they need here. Anything else is refused. */
export const resource = z.discriminatedUnion("kind", [
  kindOf("v1", "Namespace", {}),
  kindOf("v1", "ConfigMap", { data: labels }),
  kindOf("v1", "Service", {
    spec: z.strictObject({
      selector: labels,
      ports: z.array(z.strictObject({ name: z.string(), port: z.int(), targetPort: z.string() })),
    }),
  }),
  kindOf("apps/v1", "Deployment", {
    spec: z.strictObject({
      replicas: z.int().optional(),
      selector,
      strategy: z.strictObject({
        type: z.literal("RollingUpdate"),
        rollingUpdate: z.strictObject({ maxSurge: z.int().min(1), maxUnavailable: z.literal(0) }),
      }),
      template,
    }),
  }),
  kindOf("batch/v1", "Job", { spec: z.strictObject({ backoffLimit: z.int(), template }) }),
  kindOf("policy/v1", "PodDisruptionBudget", {
    spec: z.strictObject({ maxUnavailable: z.int(), selector }),
  }),
  kindOf("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: z.strictObject({
      scaleTargetRef: z.strictObject({
        apiVersion: z.literal("apps/v1"),
        kind: z.literal("Deployment"),
        name: z.string(),
      }),
      minReplicas: z.int().min(2),
      maxReplicas: z.int(),
      metrics: z.array(z.looseObject({ type: z.literal("Resource") })),
    }),
  }),
  kindOf("networking.k8s.io/v1", "Ingress", {
    spec: z.strictObject({
      ingressClassName: z.string(),
      tls: z.array(z.strictObject({ hosts: z.array(z.string()), secretName: z.string() })).min(1),
      rules: z.array(
        z.strictObject({
          host: z.string(),
          http: z.strictObject({
            paths: z.array(
              z.strictObject({
                path: z.string(),
                pathType: z.enum(["Prefix", "Exact"]),
                backend: z.strictObject({
                  service: z.strictObject({ name: z.string(), port: named }),
                }),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
]);
export type Resource = z.output<typeof resource>;

export const kustomization = z.strictObject({
  apiVersion: z.literal("kustomize.config.k8s.io/v1beta1"),
  kind: z.literal("Kustomization"),
  namespace: z.string(),
  resources: z.array(z.string()),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })),
});
