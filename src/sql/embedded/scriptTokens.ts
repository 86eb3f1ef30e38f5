/** Words before an expression: a `/` after them begins a regular expression and is not a division. */
export const wordsBeforeExpression: ReadonlySet<string> = new Set(
  'await case delete do else extends in instanceof new of return throw typeof void yield default'.split(' '),
);

/** Words whose parentheses hold a condition, after which a statement begins. */
export const wordsBeforeCondition: ReadonlySet<string> = new Set(['if', 'while', 'for', 'with']);

/** Longer type arguments of a tag are not searched. */
const maxTypeArguments = 2000;

/** Where the type arguments of a tag end, as in sql<User>`…`. `isTag` is false if no template follows them. */
export function typeArgumentsAt(file: string, start: number): { readonly end: number; readonly isTag: boolean } {
  const limit = Math.min(file.length, start + maxTypeArguments);
  let depth = 0;
  for (let offset = start; offset < limit; offset++) {
    const character = file.charAt(offset);
    if (character === '<') depth++;
    // The arrow of a function type closes nothing.
    else if (character === '>' && file.charAt(offset - 1) !== '=') depth--;
    else if (character === '`') return { end: offset, isTag: false };
    if (depth === 0) return { end: offset + 1, isTag: file.charAt(offset + 1) === '`' };
  }
  return { end: limit, isTag: false };
}

/** The offset after a regular expression and its flags. Undefined if it does not end on its line. */
export function endOfRegularExpression(file: string, start: number): number | undefined {
  let isInClass = false;
  for (let offset = start + 1; offset < file.length; offset++) {
    const character = file.charAt(offset);
    if (character === '\n' || character === '\r') return undefined;
    if (character === '\\') offset++;
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '/' && !isInClass) return offset + 1;
  }
  return undefined;
}

/** Whether an element of JSX begins at a `<`, and not the type parameters of an arrow function. */
export function beginsElement(file: string, start: number): boolean {
  elementStart.lastIndex = start;
  const [tag, next] = elementStart.exec(file) ?? [];
  return tag !== undefined && next !== ',' && next !== 'extends';
}

/** A fragment's tag, or the name of a tag and what follows it. */
const elementStart = /<>|<[a-z_$\u0080-\uffff][\w$\u0080-\uffff.:-]{0,200}\s{0,20}(extends\b|\S)/iy;
