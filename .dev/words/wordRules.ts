import { isTranslatedFile, type ReadableText } from './readableTexts.ts';

/** A rule that a text breaks. */
export interface WordFault {
  readonly text: ReadableText;
  readonly message: string;
}

/** Words that texts must not have, and their replacements. One thing has one word. */
const wrongWords: readonly (readonly [wrong: RegExp, right: string])[] = [
  [/colour/i, 'color'],
  [/behaviour|favour|honour|licence|catalogue|\bgrey/i, 'the US spelling'],
  [/initialis|organis|recognis|serialis/i, 'the US spelling, with z'],
  [/\bcancel(?:ed|ing)\b/i, 'cancelled, cancelling'],
  [/\bTry Again\b/, 'Retry'],
  [/^Enough$|^Give Up$/, 'Stop'],
  [/^Stop Here$/, 'Finish'],
  [/^Go On$/, 'Continue'],
  [/\bRun Again\b/, 'Rerun'],
  [/\bIssue a New Key\b/, 'Issue New Key'],
  [/\bProjects and Credentials\b/, 'Manage Projects'],
  [/\bThen Sort\b/, 'Add to Sort'],
  [/\bDo Not Sort\b/, 'Clear Sort'],
  [/\bFit Width\b/, 'Auto-size Column'],
  [/\bRemove (?:Filter|All)$/, 'Clear Filter, Clear Filters'],
  [/\bmend/i, 'fix'],
  [/\ball the same\b/i, 'anyway'],
  [/\bbase url\b/i, 'address'],
  [/\b(?:tell|tells|telling|told)\b/i, 'say, find, distinguish'],
  [/\bany ?more\b/i, 'no longer'],
  [/\bas (?:many|much|long) as\b/i, 'a plain number or time'],
  [/\bwhoever\b/i, 'each user'],
  [/\b(?:the )?most (?:rows|megabytes|bytes|seconds|tokens)\b/i, 'Maximum'],
  [/\b(?:project|key|holder) ids?\b/, 'ID'],
  [/\bget rid\b|\blet go\b|\blets go\b/i, 'drop, release'],
  [/\bby now\b|\bmeanwhile\b/i, 'now, or nothing'],
  [/\bidentifier\b/i, 'ID'],
  [/\bgave\b/i, 'returned'],
  [/\bstands? in (?!a statement)|\bstood here\b/i, 'is in, was here'],
  [/(?<!\bthere )\bis no (?!longer)/i, 'is not a'],
  [/^What [^?]*$/, 'the noun'],
  [/\bbehind\b/i, 'after, beside'],
  [/\bbad rows?\b/i, 'rejected row'],
  [/\bon the server\b/i, 'by the service'],
  [/\bexist(?:s|ed)? already\b/i, 'already exists'],
  [/\b(?:goes|go|went) on\b/i, 'continue'],
  [/\blook (?:again|whether|which)\b/i, 'check'],
  [/\bonce more\b|\banew\b/i, 'again'],
  [/\bshould stand\b/i, 'is expected'],
  [/\b(?:edits|changes|others) are dropped\b/i, 'discarded'],
  [/\b(?:Keep|Discard) Edits\b/, 'Keep Changes, Discard Changes'],
  [/\b(?:Set|Enter) (?:Another )?Key\b/, 'API Key'],
  [/(?<!stored in VS Code's )\bsecret storage\b/i, "stored in VS Code's secret storage"],
  [/\bcould not be done\b/i, 'The action failed'],
];

/** The first words of buttons and commands. */
const verbs = new Set(
  [
    'Add Apply Auto-size Cancel Change Check Choose Clear Close Continue Copy Count Delete Discard Drop Edit Enter Explain',
    'Export Filter Find Finish Fit Forget Freeze Go Hide Import Install Issue Keep Load Manage Move Open Pin Refresh Remove',
    'Rename Replace Rerun Restart Retry Reveal Run Save Select Set Show Sort Stop Test Try Unfreeze Unpin Use',
  ]
    .join(' ')
    .split(' '),
);

/** Words that a title has in lower case, unless they are its first or last. */
const smallWords = new Set('a an and as at by for from in into of on or per the to up with without'.split(' '));

/** A preposition of this length may have a capital. */
const longWordLength = 4;

/** Texts beside a button or an input. They are labels or sentences. */
const isBesideButtons = (use: string): boolean => /prompt|placeholder|detail|description|tooltip|note|help/i.test(use);

const countedThings: Readonly<Record<string, string>> = {
  rows: 'row',
  columns: 'column',
  tables: 'table',
  statements: 'statement',
  projects: 'project',
  results: 'result',
  matches: 'match',
  cells: 'cell',
  values: 'value',
  filters: 'filter',
  characters: 'character',
  bytes: 'byte',
  files: 'file',
  errors: 'error',
  problems: 'problem',
};
const countedPattern = new RegExp(`\\{\\d\\} (?:\\w+ )?(${Object.keys(countedThings).join('|')})\\b`);

/** All rules that the texts break, in the order of the texts. */
export function wordFaultsOf(texts: readonly ReadableText[]): WordFault[] {
  const singulars = new Set(texts.flatMap(({ file, text }) => singularsIn(text).map(name => `${file} ${name}`)));
  const spellings = Map.groupBy(
    texts.filter(({ file, text, use }) => isOfEditor(file) && text.includes(' ') && !use.startsWith('walkthrough.')),
    ({ text }) => spellingKey(text),
  );
  return texts.flatMap(text => {
    const messages = [
      ...wrongWordsIn(text),
      ...titleFaults(text),
      ...sentenceFaults(text),
      ...quoteFaults(text),
      ...pluralFaults(text, singulars),
      ...spellingFaults(text, spellings.get(spellingKey(text.text)) ?? []),
    ];
    return messages.map(message => ({ text, message }));
  });
}

/** Texts of commands, settings, the extension host and its pages. The others are of a language server, a service or a library. */
const isOfEditor = (file: string): boolean =>
  file === 'package.nls.json' || isTranslatedFile(file) || file.startsWith('src/protocol/');

function wrongWordsIn({ text }: ReadableText): string[] {
  return wrongWords.flatMap(([wrong, right]) => {
    const [found] = wrong.exec(text) ?? [];
    return found === undefined ? [] : [`"${found}": write ${right}.`];
  });
}

function titleFaults({ file, text, use }: ReadableText): string[] {
  if (!isOfEditor(file) || !isTitle(text, use)) return [];
  const words = text.replace(/…$/, '').split(' ');
  const last = words.length - 1;
  const isWrong = (word: string, index: number): boolean => {
    if (!/^[a-z]/i.test(word)) return false;
    const isSmall = smallWords.has(word.toLowerCase()) && index > 0 && (index < last || word === 'as');
    if (!isSmall) return /^[a-z]/.test(word);
    return word.length < longWordLength && /^[A-Z][a-z]/.test(word);
  };
  const wrong = words.filter(isWrong);
  return wrong.length === 0 ? [] : [`Title case for a button or command: ${wrong.join(', ')}.`];
}

function isTitle(text: string, use: string): boolean {
  if (/^command\.|^action\./.test(use)) return true;
  // VS Code writes the steps of walkthroughs as sentences.
  if (use.startsWith('walkthrough.')) return false;
  // A text with a name or "this" is a sentence.
  const isSentence = /[.!?:]$|[.?!] |, | \{\d\}: |'\{| this /.test(text);
  return !isSentence && !isBesideButtons(use) && verbs.has(text.split(/[ …]/)[0]!);
}

/** A text with a verb, or with a full stop inside, is a sentence. */
function sentenceFaults({ file, text, use }: ReadableText): string[] {
  const isProse = isOfEditor(file) || file.startsWith('src/sql/') || file.startsWith('src/language/');
  if (!isProse || file.startsWith('src/sql/functions/') || /altText$|^chip|^filter|^title$/.test(use)) return [];
  if (text.includes('](command:') || /[.!?:…]$|: ?\{\d\}$|^\{\d\}[^a-z]*\{\d\}$|^\{\d\} · /.test(text)) return [];
  // A note in parentheses and a short line of a list have no full stop.
  const prose = text.replace(/ \([^)]*\)$/, '');
  if (/^\{\d\}(?: [\w{}]+){1,4}$/.test(prose)) return [];
  const hasVerb = /\b(?:is|are|was|were|has|have|does|do|did|cannot|could|must|may|will|would)\b/.test(prose);
  return text.includes(' ') && /^[A-Z{]/.test(text) && (hasVerb || /[.!?] [A-Z]/.test(text))
    ? ['A sentence ends with a full stop.']
    : [];
}

function quoteFaults({ file, text }: ReadableText): string[] {
  if (!isOfEditor(file) && !file.startsWith('src/sql/') && !file.startsWith('src/language/')) return [];
  return /["“]\{\d\}["”]/.test(text) ? ["Names stand in single quotes: '{0}'."] : [];
}

/** Limits, totals and the statements of a script. */
const alwaysMany =
  /\{\d\} \w+ \(limit\)|\bfirst \{\d\} of\b|\bmore than \{|\bat most \{|\bof (?:the )?\{\d\} \w+|^Run \{\d\} statements\b/i;

/** Numbers that may be 1 need two texts. */
function pluralFaults({ file, text }: ReadableText, singulars: ReadonlySet<string>): string[] {
  if (/\(s\)/.test(text) && !text.includes('http(s)')) return ['"(s)": write two texts, for one and for more.'];
  if (!isOfEditor(file) || alwaysMany.test(text)) return [];
  const [, things] = countedPattern.exec(text) ?? [];
  const singular = things === undefined ? undefined : countedThings[things];
  if (singular === undefined || singulars.has(`${file} ${singular}`)) return [];
  return [`"${things}" needs another text for 1 ${singular}.`];
}

/** The two words after a 1: the thing may have an adjective. */
const singularsIn = (text: string): string[] =>
  [...text.matchAll(/\b1 (\w+)(?: (\w+))?/g)].flatMap(([, one = '', other = '']) => [one, other]);

const spellingKey = (text: string): string => text.toLowerCase().replaceAll(/[….!]/g, '');

/** Two texts that differ only in the case of letters or in their full stops. An ellipsis may be missing: it says that a question follows. */
function spellingFaults(text: ReadableText, alike: readonly ReadableText[]): string[] {
  if (!alike.includes(text)) return [];
  const plain = withoutEllipsis(text.text);
  const other = alike.find(one => withoutEllipsis(one.text) !== plain);
  return other ? [`Also written "${other.text}" (${other.file}).`] : [];
}

const withoutEllipsis = (text: string): string => text.replaceAll('…', '');
