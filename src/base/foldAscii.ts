/** Makes only A to Z lowercase, as SQLite does for NOCASE and names. toLowerCase() would also turn U+212A into `k`. */
export const foldAscii = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : text.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase());
