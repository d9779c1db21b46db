const quote = '"'.charCodeAt(0);
const colon = ":".charCodeAt(0);
const backslash = "\\".charCodeAt(0);

const isEscaped = (json: string, at: number) => {
  let before = at - 1;
  while (json.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
};

const endOfString = (json: string, start: number) => {
  let end = json.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end;
};

/** Outside of strings, valid JSON has one colon for each key. */
const countWrittenKeys = (json: string) => {
  let keys = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === colon) keys += 1;
    else if (character === quote) at = endOfString(json, at);
  }
  return keys;
};

/** Not recursive, because a body can be nested deeper than the stack. */
const countParsedKeys = (value: unknown) => {
  let keys = 0;
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== "object" || one === null) continue;
    const values = Object.values(one);
    if (!Array.isArray(one)) keys += values.length;
    for (const inner of values) if (typeof inner === "object") open.push(inner);
  }
  return keys;
};

/**
 * Whether valid JSON has a key twice in one object. Parsers disagree about which of the two applies, so another program
 * may have checked a different value than the one that is used here.
 */
export const repeatsKey = (json: string, value: unknown) =>
  countWrittenKeys(json) !== countParsedKeys(value);
