/** Adds a lazily loaded style sheet after all others. */
export const adoptSheet = (text: string) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
};
