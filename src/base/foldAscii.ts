/** A text in which SQLite's NOCASE and its names see no case. JavaScript's toLowerCase() makes a `k` of U+212A as well. */
export const foldAscii = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : text.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase());
