const grouped = new Intl.NumberFormat("en");

export const number = (value: number) => grouped.format(value);

/** "1 app", "1,204 apps". */
export const count = (amount: number, one: string, many = `${one}s`) =>
  `${number(amount)} ${amount === 1 ? one : many}`;

export const capitalize = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
