const addressMax = 500;
// The server's own limit, which very short names could exceed before the URL does.
const namesMax = 100;

const word = "[a-z0-9]+(?:-[a-z0-9]+)*";
const pattern = new RegExp(`^(${word}):(${word})$`);

/** The full name. Names without a collection belong to Tabler. */
export const fullName = (name: string) => (name.includes(":") ? name : `tabler:${name}`);

/** Splits a full name into collection and name. Null if it isn't a valid icon name. */
export const parseIcon = (fullName: string) => {
  const [, collection, name] = pattern.exec(fullName) ?? [];
  return collection !== undefined && name !== undefined ? { collection, name } : null;
};

export type IconRequest = { address: string; names: string[] };

/**
 * Packs names, in order, into as few URLs as the length limit allows. Commas aren't encoded, so the
 * length is exact. A name that is too long for any URL is left out.
 */
export const requestsFor = (collectionAddress: string, names: string[]) => {
  const requests: IconRequest[] = [];
  for (const name of names) {
    const last = requests.at(-1);
    const longer = `${last?.address},${name}`;
    const alone = `${collectionAddress}?icons=${name}`;
    if (last && last.names.length < namesMax && longer.length <= addressMax) {
      last.address = longer;
      last.names.push(name);
    } else if (alone.length <= addressMax) requests.push({ address: alone, names: [name] });
  }
  return requests;
};
