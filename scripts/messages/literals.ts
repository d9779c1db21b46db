import { parse } from "@babel/parser";

type Node = { type: string; loc?: { start: { line: number } }; [key: string]: unknown };
/** `screen(() => import("…"), "Login")` names an export. */
const loaders = new Set(["screen"]);
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

const macros = new Set(["t", "plural", "select", "selectOrdinal", "msg", "defineMessage"]);
const components = new Set(["Trans", "Plural", "Select", "SelectOrdinal"]);
/** Developers read these; users see a general message. */
const forDevelopers = new Set(["Error", "TypeError", "RegExp"]);
/** Attributes that are never shown. */
const technical =
  /^(?:className|classNames|style|styles|id|key|name|type|role|href|to|src|rel|target|d|viewBox|fill|stroke|variant|size|color|icon|lang|autoComplete|inputMode|pattern|data-[\w-]+|aria-(?:live|haspopup|current|sort|controls|describedby|labelledby|invalid|expanded|orientation)|tone|look|kind|place|align|position|justify|component|htmlFor|method|accept|w|h|p|m|gap|maw|miw|mah|mih|form|transition|trigger|scope|dir|weight|shape|rows|columns|field|path|draft|group|entity|permission|action|justifyContent)$/;

/** Properties with an enum's value that reads like a text. */
const enums = new Set(["access", "group"]);

/** Keys, units and names that are the same in every language. */
const universal = new Set([
  "Alt",
  "Backspace",
  "Control",
  "Ctrl",
  "Delete",
  "End",
  "Enter",
  "Escape",
  "Home",
  "Meta",
  "PageDown",
  "PageUp",
  "Shift",
  "Space",
  "Tab",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "Esc",
  "Purser",
  "UTC",
  "API",
  "Android",
  "iOS",
  "Stripe",
  "CSV",
  "JSON",
  "YAML",
  "Mac",
  "Europe",
  "GMT",
]);

const isText = (value: string) => {
  const text = value.trim();
  if (universal.has(text) || !/\p{L}{2}/u.test(text)) return false;
  // A sentence, a phrase that starts with a capital, or one capitalized word.
  return (
    /^[\p{Lu}][\p{Ll}]+(?:[\s,.!?…:’'-]|$)/u.test(text) || /^\p{L}+ \p{Ll}+ \p{Ll}+/u.test(text)
  );
};

export type Literal = { line: number; text: string };

const limits = { button: 24, help: 90, toast: 60 };
type Place = keyof typeof limits;

const calleeOf = (node: Node) => {
  const callee = (node["callee"] ?? node["tag"]) as Node | undefined;
  return callee?.type === "Identifier" ? String(callee["name"]) : "";
};

const elementOf = (node: Node) => {
  const name = (node["openingElement"] as Node | undefined)?.["name"] as Node | undefined;
  return name?.type === "JSXIdentifier" ? String(name["name"]) : "";
};

const textOf = (node: Node) =>
  node.type === "TemplateLiteral"
    ? (node["quasis"] as { value: { cooked: string } }[])
        .map(({ value }) => value.cooked)
        .join("{}")
    : String(node["value"]);

/** Whether the texts below are translated already, or are no texts. */
const isDone = (node: Node): boolean => {
  if (node.type.startsWith("TS") || node.type.startsWith("Import")) {
    return !["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(node.type);
  }
  if (node.type === "TaggedTemplateExpression") return macros.has(calleeOf(node));
  if (node.type === "CallExpression")
    return macros.has(calleeOf(node)) || loaders.has(calleeOf(node));
  if (node.type === "NewExpression") return forDevelopers.has(calleeOf(node));
  if (node.type === "JSXElement") return components.has(elementOf(node));
  if (node.type === "JSXAttribute") {
    const name = (node["name"] as Node)["name"];
    return typeof name === "string" && technical.test(name);
  }
  if (node.type === "ObjectProperty") return enums.has(String((node["key"] as Node)["name"]));
  return node.type === "ExportNamedDeclaration" && isNode(node["source"]);
};

const comparing = new Set(["===", "!==", "==", "!="]);

const parsed = (source: string, file: string) =>
  parse(source, {
    sourceType: "module",
    plugins: ["typescript", ...(file.endsWith(".tsx") ? (["jsx"] as const) : [])],
  }).program as unknown as Node;

const childrenOf = (node: Node) =>
  Object.entries(node).flatMap(([key, value]) =>
    key === "loc" || (key === "key" && !node["computed"]) ? [] : [value].flat().filter(isNode),
  );

/** Texts in a source file that are not messages. */
export const literalsIn = (source: string, file: string): Literal[] => {
  const fixed = new Set(
    source
      .split("\n")
      .flatMap((line, index) => (line.includes("Fixed by the specification") ? [index + 2] : [])),
  );
  const literals: Literal[] = [];
  const visit = (node: Node) => {
    if (isDone(node)) return;
    const line = node.loc?.start.line ?? 0;
    const isString = node.type === "StringLiteral" || node.type === "TemplateLiteral";
    const isShown =
      (isString && isText(textOf(node))) ||
      (node.type === "JSXText" && /\p{L}{2}/u.test(textOf(node)));
    if (isShown && !fixed.has(line) && !universal.has(textOf(node).trim()))
      literals.push({ line, text: textOf(node).trim() });
    if (node.type === "BinaryExpression" && comparing.has(String(node["operator"]))) return;
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parsed(source, file));
  return literals;
};

/** Where the texts below a node are shown, if that place has a limit. */
const placeOf = (node: Node): Place | null => {
  if (node.type === "JSXElement")
    return /^(?:Button|MenuButton)$/.test(elementOf(node)) ? "button" : null;
  if (node.type === "CallExpression")
    return /^(?:toast|say|showToast)$/.test(calleeOf(node)) ? "toast" : null;
  const key = (node.type === "JSXAttribute" ? node["name"] : node["key"]) as Node | undefined;
  if (node.type !== "JSXAttribute" && node.type !== "ObjectProperty") return null;
  const name = String(key?.["name"] ?? "");
  if (name === "button" || name === "confirmLabel") return "button";
  return name === "help" || name === "description" ? "help" : null;
};

/** A placeholder takes about as much room as a short word. */
const lengthOf = (node: Node) => textOf(node).replaceAll("{}", "1,234").length;

/** Messages of a source file that are longer than the place where they are shown. */
export const tooLongIn = (source: string, file: string): Literal[] => {
  const long: Literal[] = [];
  const visit = (node: Node, place: Place | null) => {
    if (node.type === "TaggedTemplateExpression" && calleeOf(node) === "t") {
      const text = node["quasi"] as Node;
      if (place && lengthOf(text) > limits[place])
        long.push({ line: node.loc?.start.line ?? 0, text: `${textOf(text)} (${place})` });
      return;
    }
    // The other attributes of an element with a limit have places of their own.
    const own =
      placeOf(node) ??
      (node.type === "JSXAttribute" || node.type === "ArrowFunctionExpression" ? null : place);
    for (const child of childrenOf(node)) visit(child, own);
  };
  visit(parsed(source, file), null);
  return long;
};
