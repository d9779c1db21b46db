import { createHook } from "node:async_hooks";
import { expect, test } from "vitest";
import { testProduct } from "../testing.ts";

const { app } = await testProduct();

const targets = ["etc/passwd", "package.json", "tabler", "mdi", "tabler.json", "169.254.169.254/x"];
const prefixes = [
  ...[
    "../",
    "../../../../",
    "..\\",
    "....//",
    "..;/",
    "//",
    "///",
    "\\\\",
    "./",
    "/",
    "~/",
    ".%00/",
  ],
  ...["%2e%2e/", "%2e%2e%2f", "..%2f", "..%5c", "%252e%252e%252f", "..%c0%af", "%u002e%u002e/"],
  ...[
    "//evil.example/",
    "https://evil.example/",
    "file:///",
    "http:%2f%2f127.0.0.1:6379%2f",
    "@evil.example/",
  ],
  ...[
    "__proto__/",
    "constructor.",
    "prototype,",
    "toString-",
    "%00",
    "%0d%0a",
    " ",
    "%ef%bc%8e%ef%bc%8e/",
  ],
];
const places = [
  (path: string) => `/icons/${path}.json?icons=anchor`,
  (path: string) => `/icons/${path}?icons=anchor`,
  (path: string) => `/icons/tabler.json/${path}?icons=anchor`,
  (path: string) => `/icons/tabler.json?icons=${path}`,
  (path: string) => `/icons/tabler.json?icons=anchor,${path}`,
  (path: string) => `/icons/tabler.json?icons=anchor&icons=${path}`,
  (path: string) => `/icons/tabler.json?icons[]=${path}`,
  (path: string) => `/icons${path}/tabler.json?icons=anchor`,
  (path: string) => `/icons/tabler${path}.json?icons=anchor`,
  (path: string) => `/icons/tabler.json?prefix=${path}&icons=anchor`,
  (path: string) => `/icons/tabler.json?icons=${encodeURIComponent(path)}`,
];
const urls = places.flatMap((at) =>
  prefixes.flatMap((prefix) => targets.map((target) => at(`${prefix}${target}`))),
);

test("T20 2,000 hostile URLs of icons open no file and no connection", async () => {
  expect(urls.length).toBeGreaterThanOrEqual(2000);
  expect((await app.inject("/icons/tabler.json?icons=anchor")).statusCode).toBe(200);
  const opened: string[] = [];
  const outside = /^(FSREQ|FILEHANDLE|TCPCONNECTWRAP|PIPECONNECTWRAP|GETADDRINFO|UDPWRAP)/;
  const hook = createHook({ init: (_id, type) => void (outside.test(type) && opened.push(type)) });
  hook.enable();
  const wrong: unknown[] = [];
  for (const url of urls) {
    const { statusCode, body } = await app.inject(url);
    const isIcon =
      statusCode === 200 && ["", "anchor"].includes(Object.keys(JSON.parse(body).icons).join());
    if (!isIcon && statusCode !== 400 && statusCode !== 404) wrong.push([url, statusCode, body]);
  }
  hook.disable();
  expect(wrong).toEqual([]);
  expect(opened).toEqual([]);
});
