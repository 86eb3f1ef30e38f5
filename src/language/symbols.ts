import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver/node';
import { withoutIcons } from '../base/icons.ts';
import { type OutlineItem, type OutlineKind, outlineOf } from '../sql/outline/outline.ts';
import { TextCache } from '../sql/text/textCache.ts';
import type { Feature } from './feature.ts';
import type { SqlDocument } from './sqlDocument.ts';
import { Turns } from './turns.ts';

const symbolKinds: Readonly<Record<OutlineKind, SymbolKind>> = {
  table: SymbolKind.Struct,
  view: SymbolKind.Interface,
  index: SymbolKind.Key,
  trigger: SymbolKind.Event,
  column: SymbolKind.Field,
  commonTable: SymbolKind.Variable,
  // The protocol has no kinds for statements. The rows of a query are a list.
  query: SymbolKind.Array,
  change: SymbolKind.Operator,
  other: SymbolKind.Constant,
};

/** Nobody finds anything in a longer outline. */
const maxStatements = 5000;

/** The outline of a document: its statements, with their columns and common tables. */
export const symbols: Feature = {
  capabilities: { documentSymbolProvider: true },
  listen({ connection, documents }) {
    const outlines = new TextCache<OutlineItem>();
    connection.onDocumentSymbol(async ({ textDocument }, token) => {
      const found: DocumentSymbol[] = [];
      for (const document of await documents.in(textDocument)) {
        const turns = new Turns(token, document);
        const { text } = document;
        for (const { start, end } of document.statements.statements().slice(0, maxStatements)) {
          if (turns.isOver) await turns.next();
          const statement = text.slice(start, end);
          const item = outlines.get(statement) ?? outlineOf(statement);
          // A copy of the text, because V8 implements a slice as a view of the whole document.
          outlines.set(` ${statement}`.slice(1), item);
          found.push(symbolOf(item, document, start));
        }
      }
      return found;
    });
  },
};

function symbolOf(item: OutlineItem, document: SqlDocument, offset: number): DocumentSymbol {
  const { name, detail, kind, start, end, selection, children } = item;
  return {
    name: withoutIcons(name),
    ...(detail !== undefined && { detail: withoutIcons(detail) }),
    kind: symbolKinds[kind],
    range: document.rangeOf({ start: offset + start, end: offset + end }),
    selectionRange: document.rangeOf({ start: offset + selection.start, end: offset + selection.end }),
    children: children.map(child => symbolOf(child, document, offset)),
  };
}
