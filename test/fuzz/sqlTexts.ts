/* Random SQL: some statements of the corpus, most of them damaged. */
import { everyStatement } from '../sql/corpus.ts';
import { heldOutValid } from '../sql/heldOutCases.ts';
import { oneOf, type Random, upTo } from './random.ts';

const statements = [...everyStatement, ...heldOutValid];

/** Characters and words that change the meaning of the text around them. */
const characters =
  `' " \` [ ] ( ) ; ;; , . -- /* */ \\ { ? ?1 : :: $a( @ # x x' _ 1 1e e+ 0x -> || = < ! ~ é 名 🎉 a`.split(' ');
const keywords =
  'BEGIN CASE TEMP EXPLAIN TRIGGER SELECT FROM WITH OVER WINDOW ON SET VALUES WHERE NOT IN OR JOIN DELETE NULL'.split(
    ' ',
  );
const pieces = [
  ...characters,
  ...keywords.map(keyword => ` ${keyword} `),
  '\n',
  ' ',
  '\v',
  '\ufeff',
  '\ud83c',
  'END',
  ' END;',
  ';END;',
  'CREATE TRIGGER ',
  ' QUERY PLAN ',
  ' AS (',
  ' FILTER (',
];
const separators = [';', ';', ';\n', '; -- note;\n', ' /* ; */ ;\n\n', ';;', '\n;', '; '];

export function randomScript(random: Random): string {
  const count = 1 + upTo(random, 5);
  let text = Array.from({ length: count }, () => oneOf(random, statements) + oneOf(random, separators)).join('');
  if (random() < 0.3) text = text.trimEnd().slice(0, -1);
  const damageCount = upTo(random, 4);
  for (let number = 0; number < damageCount; number++) text = damaged(random, text);
  return text;
}

export const randomPiece = (random: Random): string => oneOf(random, pieces);

/** The text with one random change. */
export function damaged(random: Random, text: string): string {
  const offset = upTo(random, text.length + 1);
  const end = offset + upTo(random, 12);
  switch (upTo(random, 8)) {
    case 0:
      return text.slice(0, offset);
    case 1:
      return text.slice(0, offset) + text.slice(offset + 1);
    case 2:
      return text.slice(0, offset) + text.slice(end);
    case 3:
      return text.slice(0, end) + text.slice(offset);
    case 4:
      return text.slice(offset) + text.slice(0, offset);
    default:
      return text.slice(0, offset) + oneOf(random, pieces) + text.slice(offset);
  }
}
