const string = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const comment = new RegExp(String.raw`(${string})|//[^\n]*|/\*[\s\S]*?\*/`, 'g');
const lastComma = new RegExp(String.raw`(${string})|,(?=\s*[\]}])`, 'g');

/** The JSON of a text that has comments and commas behind what is last, as people's settings have. Strings stay as they are. */
export const withoutComments = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replaceAll(comment, '$1')
    .replaceAll(lastComma, '$1');
