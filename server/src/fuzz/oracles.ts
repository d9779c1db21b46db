import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { bodySchemaOf, type Document, type Target } from "./document.ts";
import type { Request } from "./generate/requests.ts";

export type Answer = { status: number; headers: Record<string, unknown>; body: string };

/** The ways in which a response can be wrong. */
export type Oracle =
  | "a server error"
  | "an undocumented status"
  | "off its schema"
  | "no problem document"
  | "not in time"
  | "accepted off its schema"
  | "mangled text"
  | "a polluted prototype";

export type Finding = { oracle: Oracle; detail: string };

// Not compared, because lengths depend on normalization and formats on the validator. Every other keyword of
// the document must hold.
const softKeywords = new Set(["minLength", "maxLength", "format"]);

const withoutSoft = (document: Document): Document =>
  JSON.parse(JSON.stringify(document), (name, value) =>
    softKeywords.has(name) && typeof value !== "object" ? undefined : value,
  );

const escaped = (step: string) => step.replaceAll("~", "~0").replaceAll("/", "~1");

const createSchemas = (document: Document) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "api:", ...document });
  const compiled = new Map<string, ValidateFunction>();
  /** Validates with the schema at this path of the document. */
  return (...steps: string[]) => {
    const $ref = `api:#/${steps.map(escaped).map(encodeURIComponent).join("/")}`;
    const check = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, check);
    return check;
  };
};

const shown = (check: ValidateFunction) =>
  (check.errors ?? [])
    .slice(0, 3)
    .map(({ instancePath, message }) => `${instancePath || "/"} ${message}`)
    .join("; ");

export const parseJson = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};

const mediaType = ({ headers }: Answer) =>
  String(headers["content-type"] ?? "").split(";")[0] ?? "";

const problemType = "application/problem+json";

type Check = (target: Target, answer: Answer, request: Request) => Finding | null;

const brief = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

const fails: Check = (_target, { status, body }) =>
  status >= 500 ? { oracle: "a server error", detail: `${status} ${brief(body)}` } : null;

const isUndocumented: Check = ({ responses }, { status, body }) =>
  responses[status]
    ? null
    : { oracle: "an undocumented status", detail: `${status} ${brief(body)}` };

const isNoProblem: Check = (_target, answer) => {
  if (answer.status < 400) return null;
  const found = (detail: string): Finding => ({
    oracle: "no problem document",
    detail: `${answer.status} ${detail}`,
  });
  if (mediaType(answer) !== problemType)
    return found(`is of type "${mediaType(answer)}": ${brief(answer.body)}`);
  const { status, requestId } = (parseJson(answer.body)?.value ?? {}) as Record<string, unknown>;
  if (status !== answer.status) return found(`says status ${status}`);
  const header = answer.headers["x-request-id"];
  return requestId !== undefined && requestId === header
    ? null
    : found(`names the request ${requestId}, its header ${header}`);
};

const broken = /[\ud800-\udfff\ufffd]/u;

/** A replacement character or lone surrogate in a response, which no request contained. */
const isMangled: Check = (_target, { status, body }) => {
  if (status >= 400) return null;
  // JSON has a lone surrogate as an escape.
  const text = body.replaceAll(/\\u[0-9a-f]{4}/gi, (code) => JSON.parse(`"${code}"`));
  const place = text.search(broken);
  if (place < 0) return null;
  const around = text.slice(Math.max(0, place - 40), place + 40).replaceAll('"', "'");
  return { oracle: "mangled text", detail: `"…${around}…"` };
};

/** A body with an undocumented content type must not be accepted. */
const isOfOtherType: Check = ({ requestBody }, { status }, { sent }) => {
  if (status >= 300 || !requestBody || !sent.payload?.length) return null;
  const type = (sent.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return requestBody.content[type]
    ? null
    : {
        oracle: "accepted off its schema",
        detail: `${status}, though the body is of type "${type}"`,
      };
};

const offSchema = ({ status }: Answer, detail: string): Finding => ({
  oracle: "off its schema",
  detail: `${status} ${detail}`,
});

/** Checks a response against the document. Errors without a problem document are reported elsewhere. */
const documentedOf = ({ responses }: Target, answer: Answer) =>
  answer.status >= 400 && mediaType(answer) !== problemType ? undefined : responses[answer.status];

const isOfUndocumentedType: Check = (target, answer) => {
  const documented = documentedOf(target, answer);
  if (!documented) return null;
  const { content } = documented;
  const type = mediaType(answer);
  if (content)
    return content[type]
      ? null
      : offSchema(answer, `is of type "${type}", which is not documented`);
  return answer.body === "" ? null : offSchema(answer, `should be empty: ${brief(answer.body)}`);
};

const isOffSchema = (document: Document): Check => {
  const schemaAt = createSchemas(document);
  return (target, answer) => {
    const type = mediaType(answer);
    // Only JSON responses have a schema to check.
    const isJson = /\bjson$/.test(type);
    if (!isJson || !documentedOf(target, answer)?.content?.[type]) return null;
    const parsed = parseJson(answer.body);
    if (!parsed) return offSchema(answer, `is no JSON: ${brief(answer.body)}`);
    const { path, method } = target;
    const status = String(answer.status);
    const check = schemaAt("paths", path, method, "responses", status, "content", type, "schema");
    return check(parsed.value) ? null : offSchema(answer, `${shown(check)}: ${brief(answer.body)}`);
  };
};

/** A body that doesn't match the document must not be accepted, especially with extra fields. */
const isTooKind = (document: Document): Check => {
  const schemaAt = createSchemas(withoutSoft(document));
  return (target, { status }, request) => {
    if (status >= 300 || !("json" in request) || !bodySchemaOf(target)) return null;
    const { path, method } = target;
    const type = "application/json";
    const check = schemaAt("paths", path, method, "requestBody", "content", type, "schema");
    return check(request.json)
      ? null
      : { oracle: "accepted off its schema", detail: `${status}, though ${shown(check)}` };
  };
};

export const createOracles = (document: Document) => {
  const ofSchemas = [isOffSchema(document), isTooKind(document)];
  const ofEnvelopes = [isMangled, isOfOtherType, isOfUndocumentedType];
  const checks = [fails, isUndocumented, isNoProblem, ...ofEnvelopes, ...ofSchemas];
  return (target: Target, answer: Answer, request: Request): Finding[] =>
    checks.flatMap((check) => check(target, answer, request) ?? []);
};

const prototypes = { Object: Object.prototype, Array: Array.prototype };

/**
 * Records the properties of built-in prototypes. The returned function reports added ones and removes them,
 * because the test process uses the same prototypes.
 */
export const watchPrototypes = () => {
  const before = Object.entries(prototypes).map(
    ([name, prototype]) => [name, prototype, new Set(Reflect.ownKeys(prototype))] as const,
  );
  return (): Finding[] =>
    before.flatMap(([name, prototype, clean]) =>
      Reflect.ownKeys(prototype)
        .filter((key) => !clean.has(key) && Reflect.deleteProperty(prototype, key))
        .map((key) => ({
          oracle: "a polluted prototype",
          detail: `${name}.prototype.${String(key)}`,
        })),
    );
};
