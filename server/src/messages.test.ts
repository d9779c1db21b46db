import { expect, test } from "vitest";
import { british } from "../../scripts/messages/british.ts";
import { literalsIn, tooLongIn } from "../../scripts/messages/literals.ts";
import { wrongInDocs, wrongOnScreen } from "../../scripts/messages/voice.ts";

// `npm run check` runs these rules on all texts. The faults here are planted, so that each rule is seen failing.

test.each([
  ["Other programs name this code, so it stays."],
  ["In nothing held"],
  ["A request stands for 7 days"],
  ["There is no such thing"],
  ["Set back…"],
  ["Second pair of eyes"],
  ["Whoever lacks one may still work that long."],
  ["Mail or password is wrong."],
  ["Somebody changed it meanwhile"],
  ["Rights already given go on"],
  ["You need apps:write for this."],
  ["0 is none; more are added."],
])("The text of a screen may not be: %s", (text) => {
  expect(wrongOnScreen(text)).not.toEqual([]);
});

test.each([
  ["This code is in use and can't be changed."],
  ["Version {number} goes on sale on <0>{moment}</0>."],
  ["{held, plural, one {# app} other {# apps}}"],
  ["Purser is the back office of a company that sells apps."],
])("The text of a screen may be: %s", (text) => {
  expect(wrongOnScreen(text)).toEqual([]);
});

test("Code and links in documentation may have any name", () => {
  expect(wrongInDocs("See `rights` and [the page](docs/holders.md).")).toEqual([]);
  expect(wrongInDocs("See the rights of holders.")).toHaveLength(2);
});

const literals = (source: string) => literalsIn(source, "Screen.tsx").map(({ text }) => text);

test.each([
  ["const a = <p>Nothing here</p>;", ["Nothing here"]],
  ['const a = <Input label="Support email" />;', ["Support email"]],
  ['const a = isNew ? "New app" : title;', ["New app"]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source code under test.
  ["const a = `Edit ${name}`;", ["Edit {}"]],
])("A text outside of the catalogs is found: %s", (source, found) => {
  expect(literals(source)).toEqual(found);
});

test.each([
  ["const a = <Trans>Nothing here</Trans>;"],
  ["const a = t`Nothing here`;"],
  ['const a = <Button className="Wide" data-tone="Red" />;'],
  ['throw new Error("A fault of the code");'],
  ['const login = screen(() => import("./Login.tsx"), "Login");'],
])("No text outside of the catalogs: %s", (source) => {
  expect(literals(source)).toEqual([]);
});

test.each([
  ["<Button>{t`Archive this app and its features`}</Button>", "button"],
  ["toast(t`The promotion was extended for all of its customers and packages`)", "toast"],
  [`<Input description={t\`${"long ".repeat(19)}\`} />`, "help"],
])("A text longer than its place is found: %s", (source, place) => {
  expect(tooLongIn(source, "Screen.tsx")).toEqual([
    { line: 1, text: expect.stringContaining(`(${place})`) },
  ]);
});

test.each([
  ["Canceled", "Cancelled"],
  ["The catalog changed.", "The catalogue changed."],
  [
    "{status, select, canceled {Canceled} other {Catalog of {catalog}}}",
    "{status, select, canceled {Cancelled} other {Catalogue of {catalog}}}",
  ],
])("American %s is British %s", (american, expected) => {
  expect(british(american)).toBe(expected);
});
