import type { Message } from "@purser/contract/messages/message";
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { message } from "#platform/messages.ts";

type Path = readonly (string | number)[];
type Place = { line: number; column: number };
export type Fault = Place & { path: Path; message: Message };

/** The parsed value with the position of each part by JSON pointer, or the reasons why it can't be parsed. */
export type Parsed = { value: unknown; places: Map<string, Place> } | { faults: Fault[] };

const depthMax = 12;
const faultsMax = 100;

export const pointerOf = (path: readonly PropertyKey[]) =>
  path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const nestedTooDeeply = message("catalog_file_nested", "The file is nested too deeply.");

const syntaxError = (error: string) => {
  if (error.includes("call stack")) return nestedTooDeeply;
  if (error.includes("multiple documents"))
    return message("catalog_file_documents", "The file has several documents. Use one.");
  return message("catalog_file_syntax", "Syntax error ({error}).", {
    error: error.replace(/\.$/, ""),
  });
};

type Walk = {
  placeOf: (node: Node | null | undefined) => Place;
  places: Map<string, Place>;
  faults: Fault[];
};

const blame = ({ faults, placeOf }: Walk, node: Node | null, path: Path, fault: Message) => {
  if (faults.length < faultsMax) faults.push({ ...placeOf(node), path, message: fault });
  return null;
};

const keyNotAllowed = message("catalog_file_key", "The key __proto__ isn't allowed.");

const readMap = (walk: Walk, map: YAMLMap<ParsedNode, ParsedNode | null>, path: Path) => {
  const value: Record<string, unknown> = {};
  for (const { key, value: held } of map.items) {
    const name = isScalar(key) ? String(key.value) : "";
    const inner = [...path, name];
    walk.places.set(pointerOf(inner), walk.placeOf(key));
    // Assigning __proto__ would replace the object's prototype instead of adding a key.
    if (name === "__proto__") blame(walk, key, inner, keyNotAllowed);
    else if (Object.hasOwn(value, name))
      blame(
        walk,
        key,
        inner,
        message("catalog_file_repeated", "The key {key} appears twice. Remove one of them.", {
          key: name,
        }),
      );
    else value[name] = readNode(walk, held, inner);
  }
  return value;
};

const readList = (walk: Walk, list: YAMLSeq<ParsedNode>, path: Path) =>
  list.items.map((item, place) => {
    const inner = [...path, place];
    walk.places.set(pointerOf(inner), walk.placeOf(item));
    return readNode(walk, item, inner);
  });

const readNode = (walk: Walk, node: ParsedNode | null, path: Path): unknown => {
  if (node === null) return null;
  if (path.length > depthMax) return blame(walk, node, path, nestedTooDeeply);
  if (isAlias(node))
    return blame(
      walk,
      node,
      path,
      message("catalog_file_alias", "Aliases aren't supported. Replace *{alias} with its value.", {
        alias: node.source,
      }),
    );
  if (node.tag)
    return blame(
      walk,
      node,
      path,
      message("catalog_file_tag", "Tags aren't supported. Remove the tag."),
    );
  if (isMap(node)) return readMap(walk, node, path);
  if (isSeq(node)) return readList(walk, node, path);
  return node.value;
};

/**
 * Parses YAML 1.2, which includes JSON. Repeated keys are checked here, because the library's own check takes
 * quadratic time. Aliases are refused, because a few lines of them can expand to more than fits in memory.
 */
export const parseText = (source: string): Parsed => {
  const counter = new LineCounter();
  const document = parseDocument(source.replace(/^\ufeff/, ""), {
    version: "1.2",
    schema: "core",
    merge: false,
    uniqueKeys: false,
    stringKeys: true,
    prettyErrors: false,
    logLevel: "error",
    lineCounter: counter,
  });
  const at = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (document.errors.length > 0)
    return {
      faults: document.errors
        .slice(0, faultsMax)
        .map((error) => ({ ...at(error.pos[0]), path: [], message: syntaxError(error.message) })),
    };
  const walk: Walk = {
    placeOf: (node) => at(node?.range?.[0] ?? 0),
    places: new Map(),
    faults: [],
  };
  const value = readNode(walk, document.contents, []);
  return walk.faults.length > 0 ? { faults: walk.faults } : { value, places: walk.places };
};
