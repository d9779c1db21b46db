import { endpoints } from "@purser/contract/endpoints";
import { successOf } from "@purser/contract/http/endpoint";
import { expect, test } from "vitest";
import { describeAppApi } from "./appDocument.ts";
import { appOperations, appTags } from "./appOperations.ts";
import { propertyTexts } from "./propertyTexts.ts";

type Json = Record<string, unknown>;

const described = () =>
  JSON.parse(JSON.stringify(describeAppApi(endpoints, { apiBase: "/api", root: "/" })));
const document = described();

const operations = Object.values<Json>({ ...document.paths, ...document.webhooks }).flatMap(
  (methods) =>
    ["get", "post", "put", "delete"].flatMap((method) =>
      methods[method] ? [methods[method] as Json] : [],
    ),
);

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a schema has an example: its own, or that of all its parts. */
const hasExample = (schema: Json): boolean => {
  if (schema["examples"] || schema["$ref"]) return true;
  const parts = [schema["anyOf"], schema["oneOf"]].flat().filter(isObject);
  if (parts.length > 0) return parts.some(hasExample);
  if (isObject(schema["items"])) return hasExample(schema["items"]);
  return isObject(schema["properties"]);
};

/** The properties without a description or an example, anywhere in a part of the document. */
const missingIn = (value: unknown, at: string): string[] => {
  if (Array.isArray(value)) return value.flatMap((one, place) => missingIn(one, `${at}/${place}`));
  if (!isObject(value)) return [];
  const properties = isObject(value["properties"]) ? Object.entries(value["properties"]) : [];
  const own = properties.flatMap(([name, one]) => {
    const property = one as Json;
    return [
      ...(property["description"] ? [] : [`${at}/${name} has no description`]),
      ...(hasExample(property) ? [] : [`${at}/${name} has no example`]),
    ];
  });
  const within = Object.entries(value).filter(([key]) => !/^examples?$/.test(key));
  return [...own, ...within.flatMap(([key, one]) => missingIn(one, `${at}/${key}`))];
};

const missingOfOperation = (operation: Json) => {
  const { operationId, summary, description, tags, parameters, requestBody, responses } = operation;
  const contents = [requestBody, ...Object.values(responses as Json)]
    .filter(isObject)
    .flatMap(({ content }) => Object.entries((content ?? {}) as Record<string, Json>))
    .filter(([type]) => type !== "application/problem+json");
  return [
    ...(summary && description && (tags as string[])[0] ? [] : ["has no texts"]),
    ...(parameters as Json[])
      .filter(({ description: text, example }) => !text || example === undefined)
      .map(({ name }) => `parameter ${name}`),
    ...contents.filter(([, media]) => media["example"] === undefined).map(([type]) => type),
  ].map((fault) => `${operationId}: ${fault}`);
};

test("every property, parameter, schema and operation has a description and an example", () => {
  expect(missingIn(document, "")).toEqual([]);
  expect(operations.flatMap(missingOfOperation)).toEqual([]);
  const schemas = Object.entries<Json>(document.components.schemas);
  expect(schemas.filter(([, { description, examples }]) => !description || !examples)).toEqual([]);
  expect(schemas.length).toBeGreaterThan(15);
  // The counting finds what is missing.
  const planted = { properties: { a: { type: "string" }, b: { description: "B", examples: [1] } } };
  expect(missingIn(planted, "")).toEqual(["/a has no description", "/a has no example"]);
});

test("examples are requests that are accepted and replies that are sent", () => {
  for (const name of Object.keys(appOperations)) {
    const endpoint = endpoints[name];
    const operation = operations.find(({ operationId }) => operationId === name);
    if (!endpoint || !operation) throw new Error(`${name} is missing.`);
    const media = (part: unknown) =>
      (part as { content?: Record<string, Json> } | undefined)?.content?.["application/json"];
    const sent = media(operation["requestBody"]);
    if (sent)
      expect(endpoint.body?.safeParse(sent["example"]).error, `body of ${name}`).toBe(undefined);
    const reply = media((operation["responses"] as Json)[successOf(endpoint)]);
    if (reply)
      expect(endpoint.reply?.safeParse(reply["example"]).error, `reply of ${name}`).toBe(undefined);
    const named = (place: string) =>
      Object.fromEntries(
        (operation["parameters"] as Json[])
          .filter((parameter) => parameter["in"] === place)
          .map((parameter) => [parameter["name"], String(parameter["example"])]),
      );
    expect(endpoint.params?.safeParse(named("path")).error, `path of ${name}`).toBe(undefined);
    expect(endpoint.query?.safeParse(named("query")).error, `query of ${name}`).toBe(undefined);
  }
});

test("it has only operations for keys, each in one of its groups", () => {
  const groups = [...Object.keys(appTags), "Webhooks"];
  for (const { operationId, security, tags } of operations) {
    expect(groups, `${operationId}`).toContain((tags as string[])[0]);
    const schemes = (security as Json[]).flatMap((one) => Object.keys(one));
    expect(schemes.filter((scheme) => !/^(app|service)Key$/.test(scheme))).toEqual([]);
    if (!String(operationId).startsWith("on")) expect(schemes, `${operationId}`).not.toEqual([]);
  }
  const forApps = Object.entries(endpoints).filter(
    ([, { permission }]) => permission === "app key",
  );
  for (const [name] of forApps) expect(Object.keys(appOperations)).toContain(name);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

test("building it twice gives the same document, and references lead somewhere", () => {
  expect(described()).toEqual(document);
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  const names = new Set([...references].map(([, name]) => name ?? ""));
  expect([...names].filter((name) => !document.components.schemas[name])).toEqual([]);
});

test("every text describes something", () => {
  const text = JSON.stringify(document);
  const unused = Object.values(propertyTexts).filter(
    ([description]) => !text.includes(JSON.stringify(description).slice(1, -1)),
  );
  expect(unused).toEqual([]);
});
