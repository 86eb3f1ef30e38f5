import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from '../command.ts';
import { type Literal, literalsOf } from './literals.ts';

/** A text that a user can read. */
export interface ReadableText {
  /** Relative to the repository, with slashes. */
  readonly file: string;
  readonly line: number;
  /** With `{0}`, `{1}` … for values. */
  readonly text: string;
  /** The purpose of the text in the code: a key such as `title` or `action.retry`, a variable or a function. */
  readonly use: string;
}

/** All texts that a user can read, in the order of files and lines. */
export function readableTexts(): ReadableText[] {
  const files = globSync(['src/**/*.ts', 'webview/**/*.ts'], { cwd: root }).map(file => file.replaceAll(sep, '/'));
  return [
    ...textsOfManifest(readFileSync(join(root, manifestFile), 'utf8')),
    ...files.toSorted(byCode).flatMap(file => textsOfSource(file, readFileSync(join(root, file), 'utf8'))),
  ];
}

/** The texts of commands, settings and the walkthrough. */
export const manifestFile = 'package.nls.json';

const byCode = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function textsOfManifest(source: string): ReadableText[] {
  return source.split('\n').flatMap((line, index) => {
    const [, use, text] = /^\s*("[^"]+"): (".*?"),?$/.exec(line) ?? [];
    if (use === undefined || text === undefined) return [];
    return { file: manifestFile, line: index + 1, text: JSON.parse(text) as string, use: JSON.parse(use) as string };
  });
}

/** The readable texts in a source file. In the host and its pages, a text is translated, or the message of an error. */
export function textsOfSource(file: string, source: string): ReadableText[] {
  const isReadable = (literal: Literal): boolean =>
    literal.isTranslated || ((literal.isInError || !isTranslatedFile(file)) && isMessage(literal));
  return literalsOf(source)
    .filter(isReadable)
    .map(({ text, use, line }) => ({ file, line, text, use }));
}

export const isTranslatedFile = (file: string): boolean => file.startsWith('src/host/') || file.startsWith('webview/');

/** Keys whose values are shown as they are. */
const shownKeys: ReadonlySet<string> = new Set(['title', 'message', 'label', 'detail', 'documentation', 'summary']);

/** Whether a literal is for people: it has a sentence or a title, and is not SQL, a path or a name. */
function isMessage({ text, use }: Literal): boolean {
  if (!/^[A-Z"'`{]|[^.][.!?]$/.test(text) || /^(?:SELECT|UPDATE|INSERT|DELETE|CREATE) [^.]*$/.test(text)) return false;
  return /[a-z]{2,}[,:;]? [a-z]{2,}/.test(text) || (shownKeys.has(use) && /^[A-Z][a-z]/.test(text));
}
