import { probePaths, serverPort, shutdownDelaySeconds } from "./facts.testing.ts";

const balanceOf = (text: string) =>
  [...text.replace(/#.*/g, "")].reduce(
    (depth, letter) => depth + (letter === "{" ? 1 : letter === "}" ? -1 : 0),
    0,
  );

const upstreamsIn = (text: string) =>
  [...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port));

/** The samples have two servers, from the default port on, as the systemd units do. */
const commonFaults = (text: string) => [
  ...(balanceOf(text) === 0 ? [] : ["the braces don't match"]),
  ...(upstreamsIn(text).join() === [serverPort, serverPort + 1].join()
    ? []
    : ["the servers have other ports"]),
];

export const caddyFaults = (text: string) => {
  const [, path = ""] = /health_uri (\S+)/.exec(text) ?? [];
  const [, interval = "999"] = /health_interval (\d+)s/.exec(text) ?? [];
  return [
    ...commonFaults(text),
    ...(path === "/readyz" && probePaths.includes(path) ? [] : ["the health check isn't /readyz"]),
    ...(Number(interval) < shutdownDelaySeconds
      ? []
      : ["the interval of the health check is longer than SHUTDOWN_DELAY_SECONDS"]),
  ];
};

export const nginxFaults = (text: string) => [
  ...commonFaults(text),
  ...(text.includes("ssl_protocols TLSv1.2 TLSv1.3;") ? [] : ["old TLS versions are allowed"]),
  ...(/location = \/api\/events \{[^}]*proxy_buffering off;/.test(text)
    ? []
    : ["live updates are buffered"]),
  // A browser could otherwise choose the address that limits count.
  ...(/\$proxy_add_x_forwarded_for/.test(text) ? ["X-Forwarded-For must be replaced"] : []),
];
