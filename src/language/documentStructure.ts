import {
  type DocumentSymbol,
  SymbolKind,
  type FoldingRange,
  FoldingRangeKind,
  type SelectionRange,
} from 'vscode-languageserver/node';
import { withoutIcons } from '../base/icons.ts';
import { FoldingScan, limitedRanges } from '../sql/folding/foldingRanges.ts';
import { type OutlineItem, type OutlineKind, outlineOf } from '../sql/outline/outline.ts';
import { maxSelectionLength, selectionRangesAt } from '../sql/selection/selectionRanges.ts';
import { TextCache } from '../sql/text/textCache.ts';
import type { TextRange } from '../sql/text/textRange.ts';
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
  // The protocol has no kinds for statements. The rows of a query are an array.
  query: SymbolKind.Array,
  change: SymbolKind.Operator,
  other: SymbolKind.Constant,
};

/** A longer outline helps nobody. */
const maxStatements = 5000;

/** The outline: the statements with their columns and common tables. */
export const symbols: Feature = {
  capabilities: { documentSymbolProvider: true },
  listen({ connection, documents }) {
    const outlines = new TextCache<OutlineItem>();
    connection.onDocumentSymbol(async ({ textDocument }, token) => {
      const found: DocumentSymbol[] = [];
      for (const document of await documents.documentsIn(textDocument)) {
        const turns = new Turns(token, document);
        const { text } = document;
        for (const { start, end } of document.statements.statements().slice(0, maxStatements)) {
          if (turns.isOver) await turns.next();
          const statement = text.slice(start, end);
          const item = outlines.get(statement) ?? outlineOf(statement);
          outlines.set(statement, item);
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

/** Editors fold no more ranges. */
const maxRanges = 5000;

const tokensPerStep = 1000;

const foldingKinds = { comment: FoldingRangeKind.Comment, region: FoldingRangeKind.Region } as const;

export const folding: Feature = {
  capabilities: { foldingRangeProvider: true },
  listen({ connection, documents }) {
    connection.onFoldingRanges(async ({ textDocument }, token) => {
      const found: FoldingRange[] = [];
      for (const document of await documents.documentsIn(textDocument)) {
        const turns = new Turns(token, document);
        const scan = new FoldingScan(document.text);
        while (scan.read(tokensPerStep)) if (turns.isOver) await turns.next();
        const firstLine = document.positionAt(0).line;
        for (const { startLine, endLine, kind } of limitedRanges(scan.ranges, maxRanges)) {
          const lines = { startLine: firstLine + startLine, endLine: firstLine + endLine };
          found.push(kind === 'code' ? lines : { ...lines, kind: foldingKinds[kind] });
        }
      }
      return found;
    });
  },
};

/** The selection grows from a word to its expression, clause, query and statement. */
export const selectionRanges: Feature = {
  capabilities: { selectionRangeProvider: true },
  listen({ connection, documents }) {
    connection.onSelectionRanges(async ({ textDocument, positions }, token) => {
      const found: SelectionRange[] = [];
      let turns: Turns | undefined;
      for (const position of positions) {
        const place = await documents.placeAt({ textDocument, position });
        if (!place) return null;
        turns ??= new Turns(token, place.document);
        if (turns.isOver) await turns.next();
        found.push(selectionAt(place.document, place.offset));
      }
      return found;
    });
  },
};

function selectionAt(document: SqlDocument, offset: number): SelectionRange {
  const { statements } = document;
  let selection: SelectionRange = { range: document.rangeOf({ start: 0, end: statements.length }) };
  for (const range of rangesAt(document, offset).toReversed()) {
    selection = { range: document.rangeOf(range), parent: selection };
  }
  return selection;
}

/** The ranges around an offset within its statement. Between statements, only the offset itself. */
function rangesAt(document: SqlDocument, offset: number): readonly TextRange[] {
  const { statements } = document;
  const number = statements.firstEndingAfter(offset - 1);
  const statement = statements.at(number);
  if (!statement || statement.start > offset) return [{ start: offset, end: offset }];
  const { start, end } = statement;
  const ast = end - start > maxSelectionLength ? undefined : document.parsed(number).ast;
  return selectionRangesAt(statements.slice(start, end), ast, offset - start).map(range => ({
    start: start + range.start,
    end: start + range.end,
  }));
}
