import { keyOf } from './names.ts';
import { unquoted } from './quoting.ts';
import { CoarseScanner } from './tokens.ts';

/** The keys of everything in a text that may be a name. Strings count, since SQLite accepts them as names. */
export function mentionedNames(text: string): Set<string> {
  const names = new Set<string>();
  const scanner = new CoarseScanner(text);
  while (scanner.next()) {
    if (scanner.kind === 'word') names.add(keyOf(text.slice(scanner.start, scanner.end)));
    else if (scanner.kind === 'quoted') names.add(keyOf(unquoted(text.slice(scanner.start, scanner.end))));
  }
  return names;
}
