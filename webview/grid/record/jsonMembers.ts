import { pastString } from '../../../src/wire/exactJson.ts';

/** A member of an object, or one of an array by its place, as it is written. */
export interface JsonMember {
  readonly key: string;
  readonly source: string;
}

/**
 * What stands right within an object or array of valid JSON; undefined for any other value. Parsed, it would have lost the
 * order of its keys, those that it has twice, and how its numbers are written.
 */
export function membersOf(source: string): readonly JsonMember[] | undefined {
  if (!/^[[{]/.test(source)) return undefined;
  const members: JsonMember[] = [];
  let depth = 0;
  let from = 1;
  let key: string | undefined;
  const end = (at: number): void => {
    const text = source.slice(from, at).trim();
    if (text !== '') members.push({ key: key ?? String(members.length), source: text });
    key = undefined;
    from = at + 1;
  };
  for (let at = 1; at < source.length; at++) {
    const character = source[at]!;
    if (character === '"') at = pastString(source, at + 1) - 1;
    else if (character === '{' || character === '[') depth++;
    else if (depth > 0) depth -= character === '}' || character === ']' ? 1 : 0;
    else if (character === ':') {
      key = JSON.parse(source.slice(from, at)) as string;
      from = at + 1;
    } else if (character === ',' || character === '}' || character === ']') end(at);
  }
  return members;
}
