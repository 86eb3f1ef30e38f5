/** The named entities of HTML for ASCII. Spaces separate several names of one character. */
const asciiNames: Readonly<Record<string, string>> = {
  '\t': 'tab',
  '\n': 'newline',
  '!': 'excl',
  '"': 'quot',
  '#': 'num',
  $: 'dollar',
  '%': 'percnt',
  '&': 'amp',
  "'": 'apos',
  '(': 'lpar',
  ')': 'rpar',
  '*': 'ast midast',
  '+': 'plus',
  ',': 'comma',
  '-': 'dash hyphen',
  '.': 'period',
  '/': 'sol',
  ':': 'colon',
  ';': 'semi',
  '<': 'lt',
  '=': 'equals',
  '>': 'gt',
  '?': 'quest',
  '@': 'commat',
  '[': 'lsqb lbrack',
  '\\': 'bsol',
  ']': 'rsqb rbrack',
  '^': 'hat',
  _: 'lowbar underbar',
  '`': 'grave diacriticalgrave',
  '{': 'lcub lbrace',
  '|': 'verbar vert verticalline',
  '}': 'rcub rbrace',
};

/** The entities of the characters from U+00A0 to U+00FF, in order. Capital letters have the names of the small ones. */
const latinNames =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot ' +
  'cedil sup1 ordm raquo frac14 frac12 frac34 iquest agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml times oslash ugrave uacute ucirc uuml yacute thorn szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ' +
  'ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const codes: ReadonlyMap<string, number> = new Map([
  ...latinNames.split(' ').map((name, nth) => [name, 0xa0 + nth] as const),
  ...Object.entries(asciiNames).flatMap(([character, names]) =>
    names.split(' ').map(name => [name, character.charCodeAt(0)] as const),
  ),
]);

/** Longer texts between `&` and `;` are not read as entities. Leading zeros of a number fit. */
export const maxEntityLength = 32;

/**
 * The code point of an entity, by the text between `&` and `;`. The case of names is ignored: `&Eacute;` is read as é, which is
 * enough for a search without case.
 */
export function entityCode(text: string): number | undefined {
  if (!text.startsWith('#')) return codes.get(text.toLowerCase());
  const isHex = /^#x[\da-f]+$/i.test(text);
  if (!isHex && !/^#\d+$/.test(text)) return undefined;
  const code = isHex ? Number.parseInt(text.slice(2), 16) : Number(text.slice(1));
  return code <= 0x10_ff_ff ? code : undefined;
}
