import type { RowRandom } from './random.ts';
import * as lists from './words.ts';

/** Makes a text of some kind, such as a name or an address. */
type MakeText = (random: RowRandom) => string;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const digits = (random: RowRandom, count: number): string =>
  Array.from({ length: count }, () => random.upTo(10)).join('');
const hexDigits = (random: RowRandom, count: number): string =>
  Array.from({ length: count }, () => random.upTo(16).toString(16)).join('');
const wordsOf = (random: RowRandom, count: number): string =>
  Array.from({ length: count }, () => random.oneOf(lists.words)).join(' ');
const sentence: MakeText = random => `${capitalized(wordsOf(random, 4 + random.upTo(8)))}.`;
const company: MakeText = random => `${random.oneOf(lists.companies)} ${random.oneOf(lists.companyEnds)}`;
const product: MakeText = random => `${random.oneOf(lists.adjectives)} ${random.oneOf(lists.products)}`;
const personName: MakeText = random => `${random.oneOf(lists.firstNames)} ${random.oneOf(lists.lastNames)}`;
const userName: MakeText = random => random.oneOf(lists.firstNames).toLowerCase() + digits(random, 2);
/** The domains are reserved for examples. */
const email: MakeText = random =>
  `${random.oneOf(lists.firstNames)}.${random.oneOf(lists.lastNames)}@example.${random.oneOf(['com', 'org', 'net'])}`.toLowerCase();
const uuid: MakeText = random =>
  [8, 4, 4, 4, 12]
    .map(count => hexDigits(random, count))
    .join('-')
    .replace(/^(.{14})./, '$14')
    .replace(/^(.{19})./, '$1a');

/** The first pattern that matches a column's name decides the kind of its texts. Underscores separate the words of a name. */
const kinds: readonly (readonly [RegExp, MakeText])[] = [
  [/e?_?mail/, email],
  [/(?:^|_)(?:uu|gu)id(?:_|$)/, uuid],
  [/first_?name|given_?name|forename/, random => random.oneOf(lists.firstNames)],
  [/last_?name|sur_?name|family_?name/, random => random.oneOf(lists.lastNames)],
  [/user_?name|login|nick|handle/, userName],
  [/company|organi[sz]ation|firm|supplier|vendor|employer/, company],
  [/product|article|item|goods/, product],
  [/file_?name|path/, random => `${random.oneOf(lists.words)}-${random.oneOf(lists.words)}.txt`],
  [/country_?code|nationality|locale/, random => random.oneOf(lists.countryCodes)],
  [/country|nation/, random => random.oneOf(lists.countries)],
  [/city|town|place|location/, random => random.oneOf(lists.cities)],
  [/street|address/, random => `${random.oneOf(lists.streets)} Street ${1 + random.upTo(150)}`],
  [/zip|post_?code|postal/, random => digits(random, 5)],
  [/phone|mobile|fax|(?:^|_)tel(?:_|$)/, random => `+1 555 ${digits(random, 3)} ${digits(random, 4)}`],
  [/url|website|link|homepage/, random => `https://example.com/${random.oneOf(lists.words)}`],
  [/(?:^|_)ip(?:_|$)|ip_?address/, random => `192.0.2.${random.upTo(256)}`],
  [/currency/, random => random.oneOf(lists.currencies)],
  [/colou?r/, random => random.oneOf(lists.colors)],
  [/status|state|stage|phase/, random => random.oneOf(lists.states)],
  [
    /json|payload|metadata|settings|config/,
    random => JSON.stringify({ [random.oneOf(lists.words)]: random.upTo(100) }),
  ],
  [/title|subject|headline/, random => capitalized(wordsOf(random, 2 + random.upTo(3)))],
  [/description|comment|note|text|body|message|content|summary|bio|remark/, sentence],
  [/sku|code|(?:^|_)ref|serial|token/, random => `${random.oneOf(lists.countryCodes)}-${digits(random, 5)}`],
  [/name|author|customer|contact|person|owner|user/, personName],
  [/kind|type|category|tag|label|group|level/, random => random.oneOf(lists.words)],
];

export function textsFor(name: string, type: string): MakeText {
  if (/uuid|guid/i.test(type)) return uuid;
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  if (/json/i.test(type)) return kinds.find(([pattern]) => pattern.test('json'))![1];
  return kinds.find(([pattern]) => pattern.test(words))?.[1] ?? (random => wordsOf(random, 1 + random.upTo(2)));
}

/** Adds a number that makes a text unique. In an address, the number comes before the domain. */
export function numberedText(text: string, number: string): string {
  const at = text.indexOf('@');
  return at === -1 ? `${text} ${number}` : text.slice(0, at) + number + text.slice(at);
}

export function fittedText(text: string, minLength: number, maxLength: number): string {
  let fitted = text;
  while (fitted.length < minLength) fitted += ` ${lists.words[fitted.length % lists.words.length]!}`;
  return fitted.length > maxLength ? fitted.slice(0, maxLength).replace(/ $/, '_') : fitted;
}
