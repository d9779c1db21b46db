import { expect, test } from "vitest";
import { mentionBefore, mentionedIn, piecesOf, withMention } from "./mentions.ts";

test.for([
  ["", null],
  ["@", ""],
  ["Hi @an", "an"],
  ["Hi @Anna B", "Anna B"],
  ["mail anna@example", null],
  ["@Anna\nnext line", null],
])("finds the mention in progress in %j", ([before, typed]) => {
  expect(mentionBefore(before as string)).toBe(typed);
});

test("replaces what was typed with the name and one space", () => {
  expect(withMention("Hi @an, look", 6, "Anna Berg")).toEqual({
    text: "Hi @Anna Berg , look",
    place: 14,
  });
  expect(withMention("@a rest", 2, "Ada")).toEqual({ text: "@Ada rest", place: 5 });
});

test("mentions only people whose name is still in the text, once", () => {
  const [ada, ben] = [
    { id: "1", name: "Ada" },
    { id: "2", name: "Ben" },
  ];
  expect(mentionedIn("@Ada and @Ada", [ada, ada, ben])).toEqual(["1"]);
});

test("divides a text at mentions, by the longest name", () => {
  const mentions = [{ name: "Ada" }, { name: "Ada Berg" }];
  expect(piecesOf("Ask @Ada Berg or @Ada.", mentions)).toEqual([
    { text: "Ask ", isMention: false },
    { text: "@Ada Berg", isMention: true },
    { text: " or ", isMention: false },
    { text: "@Ada", isMention: true },
    { text: ".", isMention: false },
  ]);
  expect(piecesOf("", mentions)).toEqual([]);
});
