import { sqlBlock, markdownText } from '../../base/markdown.ts';
import type { BuiltInFunction } from './builtInFunctions.ts';

/** The signatures of a function with their descriptions, as Markdown. */
export function functionDocumentation({ signatures }: BuiltInFunction): string {
  return signatures
    .flatMap(({ label, result, description }) => [sqlBlock(`${label} → ${result}`), markdownText(description)])
    .join('\n\n');
}
