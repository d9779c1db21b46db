import { getIconData } from "@iconify/utils";

// Some megabytes, so read once and at the first request.
let reading: ReturnType<typeof read> | undefined;

const read = async () => {
  const { icons: collection } = await import("@iconify-json/tabler");
  const { icons } = collection;
  // Hidden icons were withdrawn. They are still drawn for apps that use them.
  const outlines = Object.keys(icons).filter(
    (name) => !/-filled(-|$)/.test(name) && !icons[name]?.hidden,
  );
  return { collection, outlines: outlines.sort() };
};

/** The icons that can be chosen. */
export const readCollection = () => {
  reading ??= read();
  return reading;
};

/** The drawings of these icons, and the names of unknown ones. */
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
