import { tokenId } from '../parser/grammar.ts';
import type { CursorContext } from './cursorContext.ts';

const and = tokenId('AND');

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const conditionKeywords = words('WHERE ON HAVING');
const comparisons = words('= == < <= > >= <> != IS IN LIKE GLOB REGEXP MATCH ISNULL NOTNULL EXISTS');
const connectives = words('AND OR');
/** The words that may precede a parenthesis around a condition. */
const beforeGroup = words('WHERE ON HAVING AND OR NOT (');
/** After these words an expression is not a condition. */
const otherKeywords = words(
  'SELECT FROM JOIN SET BY VALUES LIMIT OFFSET RETURNING WHEN THEN ELSE CHECK USING AS DEFAULT , ;',
);

/** Whether the word follows a complete condition of WHERE, ON or HAVING, such as `WHERE id = 1`. */
export function followsCondition({ tokens, index, stack }: CursorContext): boolean {
  if (!stack.couldTake(and)) return false;
  let depth = 0;
  let connectiveCount = 0;
  let isCompared = false;
  for (let position = index - 1; position >= 0; position--) {
    const text = tokens[position]!.text.toUpperCase();
    if (text === ')' || text === 'END') depth++;
    else if (text === '(' && depth === 0) {
      if (!beforeGroup.has(tokens[position - 1]?.text.toUpperCase() ?? '')) return false;
    } else if (text === '(' || text === 'CASE') depth--;
    else if (depth > 0) continue;
    else if (conditionKeywords.has(text)) return isCompared;
    else if (otherKeywords.has(text)) return false;
    else if (connectives.has(text)) connectiveCount++;
    else if (connectiveCount === 0 && comparisons.has(text)) isCompared = true;
    // The AND of a BETWEEN connects no conditions.
    else if (connectiveCount <= 1 && text === 'BETWEEN') isCompared = true;
    if (depth < 0) return false;
  }
  return false;
}
