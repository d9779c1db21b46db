import { mkdirSync } from "node:fs";
import { expect } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import { waitForAnimations } from "../../pages/accessibility.ts";
import { clippedTexts } from "../../pages/clippedTexts.ts";
import { useLanguage } from "../../pages/languages.ts";
import { translateLocators, translatorTo } from "../../pages/translatedLocators.ts";
import { overlays } from "../../screens/overlays.ts";
import { screens } from "../../screens/screens.ts";

// @nightly: The gate visits every screen in English.

const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

/** The languages to look at: German on desks and phones, and a mirrored one on desks. */
const languages = [
  { locale: "de", browser: "de-DE", sizes: [desk, phone] },
  { locale: "pseudo-rtl", browser: "en-US", sizes: [desk] },
] as const;

const all = [
  ...screens.map((screen) => ({ ...screen, fitsPhone: true })),
  // On a phone, dialogs and menus are other ones.
  ...overlays.map((overlay) => ({ ...overlay, fitsPhone: false })),
];

/** `PICTURES=folder` keeps a picture of each visit. */
const folder = process.env["PICTURES"];

for (const { locale, browser, sizes } of languages)
  test.describe(locale, () => {
    test.use({ locale: browser });
    for (const { name, open, fitsPhone } of all)
      test(`SH9 No text is clipped and nothing scrolls sideways in ${locale}: ${name} @nightly`, async ({
        ownerPage: page,
        records,
      }) => {
        if (locale === "pseudo-rtl") await useLanguage(page, locale);
        const translator = await translatorTo(locale);
        const restore = translateLocators(page, translator);
        try {
          for (const size of sizes.filter(({ width }) => fitsPhone || width === desk.width))
            await test.step(`${size.width} pixels`, async () => {
              await page.setViewportSize(desk);
              await open(page, records);
              await page.setViewportSize(size);
              await waitForAnimations(page);
              if (folder) {
                mkdirSync(`${folder}/${locale}`, { recursive: true });
                const file = `${name.replaceAll(" ", "-")}-${size.width}.png`;
                await page.screenshot({ path: `${folder}/${locale}/${file}` });
              }
              const clipped = (await clippedTexts(page)).filter(translator.isMessage);
              expect.soft(clipped).toEqual([]);
              const wider = await page.evaluate(
                () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
              );
              expect.soft(wider).toBe(0);
            });
        } finally {
          restore();
        }
      });
  });
