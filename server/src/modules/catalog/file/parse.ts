import type { Message } from "@purser/contract/messages/message";
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  Parser,
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
/** What the parser has open at that depth: also the document and the value itself. */
const openMax = depthMax + 4;
const faultsMax = 100;

export const pointerOf = (path: readonly PropertyKey[]) =>
  path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const nestedTooDeeply = message("catalog_file_nested", "The file is nested too deeply.");

const severalDocuments = message(
  "catalog_file_documents",
  "The file has several documents. Use one.",
);

const syntaxError = (error: string) =>
  message("catalog_file_syntax", "Syntax error ({error}).", { error: error.replace(/\.$/, "") });

class TooDeep extends Error {
  override name = "TooDeep";
  readonly offset: number;
  constructor(offset: number) {
    super("The file is nested too deeply.");
    this.offset = offset;
  }
}

/** Stops before a deeply nested value is built, which would take seconds of processor time. */
function* tokensOf(source: string, counter: LineCounter) {
  const parser = new Parser(counter.addNewLine);
  counter.addNewLine(0);
  for (const lexeme of new Lexer().lex(source)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > openMax) throw new TooDeep(parser.offset);
  }
  yield* parser.end();
}

const compose = (source: string, counter: LineCounter) => {
  const composer = new Composer<ParsedNode>({
    version: "1.2",
    schema: "core",
    merge: false,
    uniqueKeys: false,
    stringKeys: true,
    logLevel: "error",
  });
  const documents = composer.compose(tokensOf(source, counter), true, source.length);
  const document = documents.next().value;
  return { document, another: documents.next().value };
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
export const parseText = (given: string): Parsed => {
  const source = given.replace(/^\ufeff/, "");
  const counter = new LineCounter();
  const at = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const faultAt = (offset: number, fault: Message): Fault => ({
    ...at(offset),
    path: [],
    message: fault,
  });
  try {
    const { document, another } = compose(source, counter);
    const faults = (document?.errors ?? []).map(({ pos, message: error }) =>
      faultAt(pos[0], syntaxError(error)),
    );
    if (another) faults.push(faultAt(another.range[0], severalDocuments));
    if (faults.length > 0) return { faults: faults.slice(0, faultsMax) };
    const walk: Walk = {
      placeOf: (node) => at(node?.range?.[0] ?? 0),
      places: new Map(),
      faults: [],
    };
    const value = readNode(walk, document?.contents ?? null, []);
    return walk.faults.length > 0 ? { faults: walk.faults } : { value, places: walk.places };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return { faults: [faultAt(error.offset, nestedTooDeeply)] };
  }
};
