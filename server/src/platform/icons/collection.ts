import { getIconData } from "@iconify/utils";

// Some megabytes: read when the first person asks, and once.
let reading: ReturnType<typeof read> | undefined;

const read = async () => {
  const { icons: collection } = await import("@iconify-json/tabler");
  const { icons } = collection;
  // Those that are hidden were withdrawn; they are still drawn where they were chosen.
  const outlines = Object.keys(icons).filter(
    (name) => !/-filled(-|$)/.test(name) && !icons[name]?.hidden,
  );
  return { collection, outlines: outlines.sort() };
};

/** The icons that an app can have. */
export const readCollection = () => {
  reading ??= read();
  return reading;
};

/** What is needed to draw these icons, and the names of those that there are not. */
export const drawingsOf = async (names: string[]) => {
  const { collection } = await readCollection();
  const { prefix, width, height } = collection;
  const drawn = names.map((name) => ({ name, body: getIconData(collection, name)?.body }));
  return {
    prefix,
    icons: Object.fromEntries(
      drawn.filter(({ body }) => body !== undefined).map(({ name, body }) => [name, { body }]),
    ),
    width,
    height,
    not_found: drawn.filter(({ body }) => body === undefined).map(({ name }) => name),
  };
};
