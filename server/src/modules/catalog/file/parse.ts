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

type Path = readonly (string | number)[];
type Place = { line: number; column: number };
export type Fault = Place & { path: Path; message: string };

/** The parsed value with the position of each part by JSON pointer, or the reasons why it can't be parsed. */
export type Parsed = { value: unknown; places: Map<string, Place> } | { faults: Fault[] };

const depthMax = 12;
const faultsMax = 100;

export const pointerOf = (path: readonly PropertyKey[]) =>
  path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const said = (message: string) => {
  if (message.includes("call stack")) return "It is nested too deeply to be a catalogue.";
  if (message.includes("multiple documents")) return "It holds several documents. Send one.";
  return `It cannot be read: ${message.replace(/\.$/, "")}.`;
};

type Walk = {
  placeOf: (node: Node | null | undefined) => Place;
  places: Map<string, Place>;
  faults: Fault[];
};

const blame = ({ faults, placeOf }: Walk, node: Node | null, path: Path, message: string) => {
  if (faults.length < faultsMax) faults.push({ ...placeOf(node), path, message });
  return null;
};

const readMap = (walk: Walk, map: YAMLMap<ParsedNode, ParsedNode | null>, path: Path) => {
  const value: Record<string, unknown> = {};
  for (const { key, value: held } of map.items) {
    const name = isScalar(key) ? String(key.value) : "";
    const inner = [...path, name];
    walk.places.set(pointerOf(inner), walk.placeOf(key));
    // Assigning __proto__ would replace the object's prototype instead of adding a key.
    if (name === "__proto__")
      blame(walk, key, inner, "No part of a catalogue is called __proto__.");
    else if (Object.hasOwn(value, name))
      blame(walk, key, inner, `"${name}" stands here twice. Keep one of them.`);
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
  if (path.length > depthMax)
    return blame(walk, node, path, "It is nested too deeply to be a catalogue.");
  if (isAlias(node))
    return blame(
      walk,
      node,
      path,
      `Write out what *${node.source} stands for: aliases are not read.`,
    );
  if (node.tag)
    return blame(
      walk,
      node,
      path,
      "Leave the tag out: only plain texts, numbers and lists are read.",
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
        .map(({ pos: [start], message }) => ({ ...at(start), path: [], message: said(message) })),
    };
  const walk: Walk = {
    placeOf: (node) => at(node?.range?.[0] ?? 0),
    places: new Map(),
    faults: [],
  };
  const value = readNode(walk, document.contents, []);
  return walk.faults.length > 0 ? { faults: walk.faults } : { value, places: walk.places };
};
