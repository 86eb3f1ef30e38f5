import { type Completion, completionInDocument } from '../../src/sql/completion/completion.ts';
import { DocumentSchema } from '../../src/sql/schema/documentSchema.ts';
import { Schema } from '../../src/sql/schema/schema.ts';
import { StatementIndex } from '../../src/sql/text/statementIndex.ts';
import { ddl } from '../sql/corpus.ts';

export const corpusSchema = Schema.of(ddl);

/** The completion at the `¦` of a document. */
export function completeMarked(marked: string, schema = corpusSchema): Completion {
  const index = new StatementIndex(marked.replace('¦', ''));
  return completionInDocument(index, new DocumentSchema(index, schema), marked.indexOf('¦'));
}

/** The document after the choice of a proposal, with `¦` where its first tab stop is, or else after it. */
export function choose(marked: string, label: string, origin?: string, schema = corpusSchema): string {
  const { start, end, proposals } = completeMarked(marked, schema);
  const proposal = proposals.find(other => other.label === label && (origin ?? other.origin) === other.origin);
  if (!proposal) throw new Error(`${label} is not proposed.`);
  const text = marked.replace('¦', '');
  const { insert, snippet, addition } = proposal;
  const inserted = snippet === undefined ? `${insert}¦` : withCursor(snippet);
  const changed = text.slice(0, start) + inserted + text.slice(end);
  if (!addition) return changed;
  const delta = addition.start < end ? 0 : inserted.length - (end - start);
  return changed.slice(0, addition.start + delta) + addition.text + changed.slice(addition.end + delta);
}

/** A character that stands for itself, `${1:placeholder}`, or `$1`. */
const snippetPart = /\\(.)|\$\{(\d):([^}]*)\}|\$(\d)/g;

/** The text of a snippet with `¦` before the placeholder of its first tab stop. */
function withCursor(snippet: string): string {
  const stops = Array.from(snippet.matchAll(snippetPart), ([, , number, , plainNumber]) => number ?? plainNumber);
  let first: string | undefined = stops.includes('1') ? '1' : '0';
  return snippet.replaceAll(snippetPart, (_part, character?: string, number?: string, text = '', plainNumber = '') => {
    if (character !== undefined) return character;
    if ((number ?? plainNumber) !== first) return text as string;
    first = undefined;
    return `¦${text}`;
  });
}

export const labelsAt = (marked: string, schema = corpusSchema): string[] =>
  completeMarked(marked, schema).proposals.map(({ label }) => label);

const labelsIn = (list: string): string[] => (list === '' ? [] : list.split(', '));

/** The labels that are missing, and those that are proposed but wrong. Commas separate the labels of a list. */
export function mismatches(marked: string, wanted: string, wrong: string): string[] {
  const labels = new Set(labelsAt(marked));
  return [
    ...labelsIn(wanted).flatMap(label => (labels.has(label) ? [] : `lacks ${label}`)),
    ...labelsIn(wrong).flatMap(label => (labels.has(label) ? `has ${label}` : [])),
  ];
}
