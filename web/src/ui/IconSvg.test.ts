import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { IconSvg } from "./IconSvg.tsx";

const empty = { body: "", viewBox: "0 0 24 24" };

test("S7.9 reserves space while the icon is empty and hides it from screen readers", () => {
  const box = renderToStaticMarkup(createElement(IconSvg, { ...empty, size: 20 }));
  expect(box).toBe(
    '<svg aria-hidden="true" class="icon" width="20" height="20" viewBox="0 0 24 24"></svg>',
  );
});

test("S7.9 exposes an icon with a label as an image of that name", () => {
  const box = renderToStaticMarkup(createElement(IconSvg, { ...empty, label: "Locked" }));
  expect(box).toContain('<svg role="img" aria-label="Locked"');
  expect(box).not.toContain("aria-hidden");
});
