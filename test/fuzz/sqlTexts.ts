/** Random SQL: statements of the corpus in a row, most of them damaged somewhere. */
import { everyStatement } from '../sql/corpus.ts';
import { heldValid } from '../sql/heldOutCases.ts';
import type { Random } from './documents.ts';

const upTo = (random: Random, count: number): number => Math.floor(random() * count);
const oneOf = <T>(random: Random, values: readonly T[]): T => values[upTo(random, values.length)]!;

const statements = [...everyStatement, ...heldValid];

/** Pieces that change what the text around them is. */
const pieces = [
  ...["'", '"', '`', '[', ']', '(', ')', ';', ';;', ',', '.', '--', '\n', '/*', '*/', ' ', '\v', '\ufeff', '\\', '{'],
  ...['?', '?1', ':', '::', '$a(', '@', '#', 'x', "x'", '_', '1', '1e', 'e+', '0x', '->', '||', '=', '<', '!', '~'],
  ...['é', '名', '🎉', '\ud83c', 'a', 'END', ' END;', ';END;', ' BEGIN ', ' CASE ', 'CREATE TRIGGER ', ' TEMP '],
  ...[' EXPLAIN ', ' QUERY PLAN ', ' TRIGGER ', ' SELECT ', ' FROM ', ' WITH ', ' AS (', ' OVER ', ' FILTER ('],
  ...[' WINDOW ', ' ON ', ' SET ', ' VALUES ', ' WHERE ', ' NOT ', ' IN ', ' OR ', ' JOIN ', ' DELETE ', ' NULL '],
];
const joints = [';', ';', ';\n', '; -- note;\n', ' /* ; */ ;\n\n', ';;', '\n;', '; '];

export function randomScript(random: Random): string {
  const count = 1 + upTo(random, 5);
  let text = Array.from({ length: count }, () => oneOf(random, statements) + oneOf(random, joints)).join('');
  if (random() < 0.3) text = text.trimEnd().slice(0, -1);
  for (let damages = upTo(random, 4); damages > 0; damages--) text = damaged(random, text);
  return text;
}

export const randomPiece = (random: Random): string => oneOf(random, pieces);

export function damaged(random: Random, text: string): string {
  const at = upTo(random, text.length + 1);
  const other = at + upTo(random, 12);
  switch (upTo(random, 8)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1);
    case 2:
      return text.slice(0, at) + text.slice(other);
    case 3:
      return text.slice(0, other) + text.slice(at);
    case 4:
      return text.slice(at) + text.slice(0, at);
    default:
      return text.slice(0, at) + oneOf(random, pieces) + text.slice(at);
  }
}
