import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Drawing } from "./IconSvg.tsx";

const empty = { body: "", viewBox: "0 0 24 24" };

test("S7.9 an icon's box takes its room while it is empty, and says nothing", () => {
  const box = renderToStaticMarkup(createElement(Drawing, { ...empty, size: 20 }));
  expect(box).toBe(
    '<svg aria-hidden="true" class="icon" width="20" height="20" viewBox="0 0 24 24"></svg>',
  );
});

test("S7.9 an icon with a label is read as a picture of that name", () => {
  const box = renderToStaticMarkup(createElement(Drawing, { ...empty, label: "Locked" }));
  expect(box).toContain('<svg role="img" aria-label="Locked"');
  expect(box).not.toContain("aria-hidden");
});
