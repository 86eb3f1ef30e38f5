import type { RowRandom } from './random.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** A text that a pattern of LIKE or GLOB matches. */
export function textMatching(operator: 'like' | 'glob', pattern: string, random: RowRandom): string {
  const any = operator === 'like' ? '%' : '*';
  const one = operator === 'like' ? '_' : '?';
  let text = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    if (character === any) text += lettersOf(random, 1 + random.upTo(5));
    else if (character === one) text += lettersOf(random, 1);
    else if (operator === 'glob' && character === '[') {
      // A closing bracket right after the opening one stands for itself.
      const end = pattern.indexOf(']', at + (pattern[at + 1] === '^' ? 3 : 2));
      if (end === -1) return text + pattern.slice(at);
      text += characterOf(pattern.slice(at + 1, end), random);
      at = end;
    } else text += character;
  }
  return text;
}

const lettersOf = (random: RowRandom, length: number): string =>
  Array.from({ length }, () => letters[random.upTo(letters.length)]!).join('');

/** A character of a set, such as `a-z0-9`. */
function characterOf(set: string, random: RowRandom): string {
  if (set.startsWith('^')) {
    const free = Array.from(`${letters}${letters.toUpperCase()}0123456789-`).filter(
      character => !charactersOf(set.slice(1)).includes(character),
    );
    return free.length > 0 ? random.oneOf(free) : '_';
  }
  return random.oneOf(charactersOf(set));
}

function charactersOf(set: string): string[] {
  const characters: string[] = [];
  for (let at = 0; at < set.length; at++) {
    const first = set.charCodeAt(at);
    const isRange = set[at + 1] === '-' && at + 2 < set.length;
    const last = isRange ? set.charCodeAt(at + 2) : first;
    // A range of all characters of Unicode would be long.
    for (let code = first; code <= Math.min(last, first + 255); code++) characters.push(String.fromCharCode(code));
    if (isRange) at += 2;
  }
  return characters.length > 0 ? characters : ['_'];
}
