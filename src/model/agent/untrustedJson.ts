/** Text of the database is data. Characters that could mean more are escaped, so that parsing the JSON restores the exact value. */

/** Invisible characters and those that move others: controls, marks of direction, blanks without width, tags that hide texts. */
const hidden = [
  String.raw`[\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e]`,
  String.raw`[\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]`,
];

/** Signs that begin tags, code, emphasis, links and pictures in Markdown. Comparisons, products and `count(*)` stay. */
const markup = [
  '<(?=[a-z/!?|])',
  '`',
  String.raw`(?<! )\*(?!\))`,
  String.raw`(?<!\()\*(?! )`,
  String.raw`(?<![\p{L}\p{N}_])_+`,
  String.raw`_+(?![\p{L}\p{N}_])`,
  '~~',
  String.raw`(?<=\])[(\[]`,
  String.raw`!(?=\[)`,
];

/** Signs in addresses that programs make links of. */
const addresses = [
  ':(?=//)',
  String.raw`(?<=\bwww)\.`,
  String.raw`(?<=\b(?:mailto|xmpp|javascript|data|command|vscode|file)):`,
];

/** Outside its strings, JSON has none of these: no bracket opens right after one that closes. */
const special = new RegExp([...hidden, ...markup, ...addresses].join('|'), 'giu');

const unseen = new RegExp([...hidden, String.raw`[\u0000-\u0008\u000b-\u001f]`].join('|'), 'gu');

/** A text for the user, with invisible characters as escapes. Line ends and tabs stay. */
export const escapedText = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(unseen, escapeUnits);

/** A value as JSON in which no text is markup, a link or an instruction to a terminal. */
export function untrustedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(special, escapeUnits);
}

function escapeUnits(text: string): string {
  return text
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** About how many tokens a text has for a language model. Other scripts than Latin take about one for each character. */
export function tokenCount(text: string): number {
  let others = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) others++;
  return Math.ceil((text.length - others) / 3.5 + others);
}
