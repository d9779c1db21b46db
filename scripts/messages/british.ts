/** American spellings and their British ones, in lowercase. */
const spellings: Record<string, string> = {
  authorized: "authorised",
  authorize: "authorise",
  behavior: "behaviour",
  canceled: "cancelled",
  canceling: "cancelling",
  catalog: "catalogue",
  catalogs: "catalogues",
  center: "centre",
  color: "colour",
  colors: "colours",
  customize: "customise",
  favorite: "favourite",
  labeled: "labelled",
  organization: "organisation",
  percent: "per cent",
  recognized: "recognised",
  toward: "towards",
};

const words = new RegExp(`\\b(?:${Object.keys(spellings).join("|")})\\b`, "gi");

/** Placeholders and the keys of plural and select forms are no words of the text. */
const syntax =
  /(\{[a-z0-9]\w*(?:, (?:plural|select|selectordinal),)?|(?<=[\s,}])(?:=\d+|\w+)(?= \{)|<\/?\d+\/?>)/;

const spelled = (word: string) => {
  const british = spellings[word.toLowerCase()] ?? word;
  const [first = "", ...rest] = british;
  return /^[A-Z]/.test(word) ? `${first.toUpperCase()}${rest.join("")}` : british;
};

/** An American text in British spelling. */
export const british = (text: string) =>
  text
    .split(syntax)
    .map((part, place) => (place % 2 === 0 ? part.replace(words, spelled) : part))
    .join("");
