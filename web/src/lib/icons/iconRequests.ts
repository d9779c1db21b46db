const addressMax = 500;
// Our server's own limit; an address full of very short names would hold more.
const namesMax = 100;

const word = "[a-z0-9]+(?:-[a-z0-9]+)*";
const pattern = new RegExp(`^(${word}):(${word})$`);

/** What an icon is called everywhere: a name alone is of the collection that the screens use. */
export const fullName = (name: string) => (name.includes(":") ? name : `tabler:${name}`);

/** An icon's collection and its name there; null is what no collection can have. */
export const parseIcon = (fullName: string) => {
  const [, collection, name] = pattern.exec(fullName) ?? [];
  return collection !== undefined && name !== undefined ? { collection, name } : null;
};

export type IconRequest = { address: string; names: string[] };

/**
 * As few requests as the longest address allows, with the names in their order. Commas stay as they are, so an
 * address is as long as it looks; a name that fits into none is in none.
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
