/** The limits of a sheet in Excel. */
export const maxSheetRows = 1_048_576;
export const maxSheetColumns = 16_384;
export const maxSheetTextLength = 32_767;

/** These units need an escape: XML allows no control characters, and Excel takes `_x0041_` for an A. */
const escaped = /(?![\t\n])\p{Cc}|\p{Cs}|[\ufffe\uffff]|_(?=x[\dA-F]{4}_)/giu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text in the XML of a sheet. Excel and LibreOffice read each character as it was. */
export const sheetText = (text: string): string =>
  text
    .replaceAll(escaped, unit => `_x${unit.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll(/[&<>"]/g, sign => entities[sign]!);
