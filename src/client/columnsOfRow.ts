import { jsonParser, type Token } from 'stream-json/core/parser.js';
import type { Column } from '../wire/values.ts';

/**
 * A row's keys in the order of its text. A decoded row cannot tell: JavaScript lists keys that look like integers first.
 */
export function columnsOfRow(row: Uint8Array): Column[] | undefined {
  try {
    const tokenize = jsonParser({ packValues: true, streamValues: false });
    const { values = [] } = tokenize(new TextDecoder().decode(row)) as { values?: readonly Token[] };
    return [...new Set(topKeys(values))].map(name => ({ name, type: '' }));
  } catch {
    return undefined;
  }
}

function* topKeys(tokens: readonly Token[]): Generator<string> {
  let depth = 0;
  for (const token of tokens) {
    if (token.name === 'startObject' || token.name === 'startArray') depth++;
    else if (token.name === 'endObject' || token.name === 'endArray') depth--;
    else if (token.name === 'keyValue' && depth === 1) yield token.value;
  }
}
