import { InlayHintKind, type InlayHint } from 'vscode-languageserver/node';
import { asBoolean, object, optional, lenient } from '../base/decode.ts';
import { type InlayHintOptions, inlayHintsOf } from '../sql/hints/inlayHints.ts';
import type { TextRange } from '../sql/text/textRange.ts';
import type { Feature } from './feature.ts';
import type { SqlDocument } from './sqlDocument.ts';
import { Turns } from './turns.ts';

const decodeOptions = object({ insertColumns: lenient(optional(asBoolean)), parameters: lenient(optional(asBoolean)) });

/** More hints in the lines in view would hide the text. */
const maxHints = 2000;

/** Shows the column of each inserted value and of each parameter. */
export const inlayHints: Feature = {
  capabilities: { inlayHintProvider: true },
  listen({ connection, documents, settings }) {
    connection.languages.inlayHint.on(async ({ textDocument, range }, token) => {
      const { uri } = textDocument;
      const { insertColumns = true, parameters = true } = (await settings.get('inlayHints', decodeOptions, uri)) ?? {};
      const options: InlayHintOptions = { insertColumns, parameters };
      const hints: InlayHint[] = [];
      if (!insertColumns && !parameters) return hints;
      for (const document of await documents.documentsIn(textDocument, { withSchema: true })) {
        const turns = new Turns(token, document);
        const part = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
        for (const hint of hintsIn(document, part, options)) {
          if (turns.isOver) await turns.next();
          if (hint && hints.length < maxHints) hints.push(hint);
        }
      }
      return hints;
    });
    // An editor that cannot refresh the hints requests them with the next edit.
    const refresh = (): void => void connection.languages.inlayHint.refresh().catch(() => undefined);
    documents.onDidChangeProject(refresh);
    settings.onDidChange(refresh);
  },
};

/** The hints in a range. Yields undefined between statements, so that the caller can end its turn. */
function* hintsIn(
  document: SqlDocument,
  range: TextRange,
  options: InlayHintOptions,
): Generator<InlayHint | undefined> {
  const { statements } = document;
  for (let number = statements.firstEndingAfter(range.start); ; number++) {
    const statement = statements.at(number);
    if (!statement || statement.start >= range.end) return;
    const { start, end } = statement;
    const hints = inlayHintsOf(statements.slice(start, end), document.schemaBefore(number), options);
    for (const { offset, column, type } of hints) {
      const isInRange = start + offset >= range.start && start + offset < range.end;
      if (!isInRange) continue;
      yield {
        position: document.positionAt(start + offset),
        label: `${column}:`,
        kind: InlayHintKind.Parameter,
        paddingRight: true,
        ...(type !== '' && { tooltip: `${column} ${type}` }),
      };
    }
    yield undefined;
  }
}
