import { pastString } from '../../../src/wire/exactJson.ts';

/** A member of an object or an array, as it is written. The key of an array's member is its index. */
export interface JsonMember {
  readonly key: string;
  readonly source: string;
}

/**
 * The direct members of an object or array of valid JSON; undefined for any other value. JSON.parse would lose the order
 * of keys, repeated keys, and the digits of numbers.
 */
export function membersOf(source: string): readonly JsonMember[] | undefined {
  if (!/^[[{]/.test(source)) return undefined;
  const members: JsonMember[] = [];
  let depth = 0;
  let start = 1;
  let key: string | undefined;
  const endMember = (end: number): void => {
    const text = source.slice(start, end).trim();
    if (text !== '') members.push({ key: key ?? String(members.length), source: text });
    key = undefined;
    start = end + 1;
  };
  for (let i = 1; i < source.length; i++) {
    const character = source[i]!;
    if (character === '"') i = pastString(source, i + 1) - 1;
    else if (character === '{' || character === '[') depth++;
    else if (depth > 0) depth -= character === '}' || character === ']' ? 1 : 0;
    else if (character === ':') {
      key = JSON.parse(source.slice(start, i)) as string;
      start = i + 1;
    } else if (character === ',' || character === '}' || character === ']') endMember(i);
  }
  return members;
}
