/** The languages whose literals may be SQL, by their identifiers in VS Code. */
const syntaxes = {
  typescript: 'script',
  typescriptreact: 'scriptWithJsx',
  javascript: 'scriptWithJsx',
  javascriptreact: 'scriptWithJsx',
  python: 'python',
} as const;

export type EmbeddingSyntax = (typeof syntaxes)[keyof typeof syntaxes];

export const embeddingLanguages: readonly string[] = Object.keys(syntaxes);

/** Undefined for a language whose literals are not searched for SQL. */
export function embeddingSyntaxOf(languageId: string): EmbeddingSyntax | undefined {
  return isEmbeddingLanguage(languageId) ? syntaxes[languageId] : undefined;
}

export const isEmbeddingLanguage = (languageId: string): languageId is keyof typeof syntaxes =>
  Object.hasOwn(syntaxes, languageId);
