/** Adds the rules of a part that has just been loaded, behind all that are there. */
export const adoptSheet = (text: string) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
};
