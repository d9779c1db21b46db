import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { at, type Known } from "./known.ts";

export const oddContentTypes: (string | null)[] = [
  null,
  "",
  "application/json; charset=utf-16",
  "application/json;;;",
  "APPLICATION/JSON",
  "application/jsonp",
  "application/merge-patch+json",
  "application/json, text/plain",
  "text/plain",
  "text/html",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  `application/json; x=${"y".repeat(2000)}`,
];

/** Parts of a URL that are sent without encoding. */
export const oddSegment = fc.oneof(
  fc.constantFrom("%", "%zz", "%ff", "%c3%28"),
  fc.constantFrom("%25", "%25zz"),
  fc.constantFrom("%00", "%2f", "%5c..", "%e2%80%ae"),
  fc.constant("a".repeat(1001)),
);

type Headers = Record<string, string | Known | null>;

export const oddHeaders: fc.Arbitrary<Headers> = fc.constantFrom<Headers>(
  { origin: null },
  { origin: "null" },
  { origin: "https://evil.example" },
  { origin: "" },
  { accept: "text/html;q=x" },
  { "accept-encoding": "br, gzip, \u00e9" },
  { authorization: "Bearer" },
  { authorization: `Bearer ${"x".repeat(4000)}` },
  { authorization: "Basic bm9ib2R5Og==" },
  { cookie: "__Host-purser=; __Host-purser-device=%" },
  { cookie: '__Host-purser="%zz"; __proto__=1; =; ;;' },
  { "x-forwarded-for": "' or 1=1 --" },
  { "x-forwarded-for": "999.1.1.1, ::1" },
  { "x-http-method-override": "DELETE" },
  { "x-request-id": "of the caller" },
  { "user-agent": "\u00ff".repeat(1000) },
  { "user-agent": "" },
  { host: "evil.example" },
  { "if-none-match": "*" },
  { range: "bytes=0-1" },
  { "content-encoding": "gzip" },
  { "content-length": "1" },
  { "content-length": "99999999" },
  { "transfer-encoding": "chunked" },
);

/** Raw bodies by the kind of error. */
const texts: readonly (readonly string[])[] = [
  // JSON, but not an object.
  ["null", "true", "1", '"text"', "[]", "[{}]"],
  // Not JSON.
  ["", " ", "{", "{}{}", "{'a':1}", "NaN", "{a:1}", '{"a":"\\x"}', '{"a":"\t"}'],
  // Ambiguous JSON.
  ['{"a":1e400}', `{"a":${"9".repeat(400)}}`, '{"a":"\\ud800"}', '{"a":1,"a":2}'],
  ['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}'],
];

const deep = Buffer.from("[".repeat(30_000));
const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const deepAndClosed = Buffer.from(`{"a":${nested(30_000)}}`);
const large = Buffer.from(`{"a":"${"x".repeat(70_000)}"}`);

/** Adds the byte FF, which is never valid UTF-8, to the start of a string value. */
const withBadByte = (text: string, pick: number) => {
  const starts = [...text.matchAll(/":"/g)].map(({ index }) => index + 3);
  const start = at(starts, pick) ?? 0;
  return Buffer.concat([
    Buffer.from(text.slice(0, start)),
    Buffer.from([0xff]),
    Buffer.from(text.slice(start)),
  ]);
};

/** Replaces a value with lists nested too deeply for recursive code. */
const withDepth = (text: string, pick: number) => {
  const starts = [...text.matchAll(/":/g)].map(({ index }) => index + 2);
  const start = at(starts, pick) ?? text.length;
  return Buffer.from(`${text.slice(0, start)}${nested(20_000)},"rest":${text.slice(start)}`);
};

/** Ways to damage the text of a body. */
const spoilings = {
  none: (text: string) => Buffer.from(text),
  marked: (text: string) => Buffer.from(`\ufeff${text}`),
  wide: (text: string) => Buffer.from(text, "utf16le"),
  packed: (text: string) => gzipSync(text),
  cut: (text: string) => Buffer.from(text.slice(0, -1)),
  grown: (text: string) => Buffer.from(`${text}x`),
  poisoned: (text: string) =>
    Buffer.from(text.replace("{", '{"__proto__":{"polluted":true},').replace(",}", "}")),
  constructed: (text: string) =>
    Buffer.from(
      text.replace("{", '{"constructor":{"prototype":{"polluted":true}},').replace(",}", "}"),
    ),
  deep: withDepth,
  "not UTF-8": withBadByte,
};
type Spoiling = keyof typeof spoilings;

/** A body as a JSON value, damaged or not, or as raw bytes. */
export type Body = { json: unknown; spoilt: Spoiling; pick: number } | { bytes: Buffer };

export const asJson = (json: unknown): Body => ({ json, spoilt: "none", pick: 0 });

/** The bytes of a body without placeholders. */
export const writeBody = (body: Body) =>
  "bytes" in body ? body.bytes : spoilings[body.spoilt](JSON.stringify(body.json), body.pick);

/** Bodies that aren't JSON objects or only look like one. */
export const oddBody = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<Body> =>
  fc.oneof(
    ...texts.map((ones) => fc.constantFrom(...ones).map((text) => ({ bytes: Buffer.from(text) }))),
    fc
      .constantFrom(deep, deepAndClosed, Buffer.from(nested(30_000)), large)
      .map((bytes) => ({ bytes })),
    fc.uint8Array({ maxLength: 64 }).map((bytes) => ({ bytes: Buffer.from(bytes) })),
    {
      weight: 7,
      arbitrary: fc.record({
        json: valid,
        spoilt: fc.oneof(
          { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(spoilings) as Spoiling[])) },
          { weight: 1, arbitrary: fc.constantFrom<Spoiling[]>("not UTF-8", "deep") },
        ),
        pick: fc.nat({ max: 1000 }),
      }),
    },
  );
