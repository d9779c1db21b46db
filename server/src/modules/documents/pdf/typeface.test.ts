import { expect, test } from "vitest";
import { openTypeface, printable } from "./typeface.ts";

const weights = Object.values(openTypeface());

test("both weights have the same characters, with those of Greek, Cyrillic and Latin", () => {
  const [regular, bold] = weights;
  expect(bold?.characterSet).toEqual(regular?.characterSet);
  const europe = "ĀāŁłŐőŞşŢţȘșẞßƠơƯưỳΑαΩωΆώЀЙйЁёҐґЄєІіЇїЉљЏџ€£₴₺₽№–—·−";
  expect(printable(europe)).toBe(europe);
});

test("figures have the same width, also next to separators", () => {
  for (const font of weights) {
    const widthOf = (text: string) => font.layout(text).advanceWidth;
    for (const separator of ["", ".", ",", "\u00a0"])
      for (let number = 0; number < 100; number++) {
        const [tens = "", ones = ""] = String(number).padStart(2, "0");
        expect(widthOf(`${tens}${separator}${ones}`)).toBe(widthOf(`0${separator}0`));
      }
  }
});

test.each([
  ["Zoë & Co.", "Zoë & Co."],
  ["Zoe\u0308", "Zoë"],
  ["山田", "\uFFFD\uFFFD"],
  ["عمر", "\uFFFD\uFFFD\uFFFD"],
  ["👩‍👩‍👧 and 🇪🇪", "\uFFFD and \uFFFD"],
  ["soft\u00adhyphen ©\uFE0F", "softhyphen ©"],
  ["wide\u3000space", "wide space"],
])("%s is printed as %s", (text, printed) => {
  expect(printable(text)).toBe(printed);
});
