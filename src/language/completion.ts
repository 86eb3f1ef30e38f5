import { type CompletionItem, CompletionItemKind, TextEdit } from 'vscode-languageserver/node';
import type { Completion } from '../sql/completion/completion.ts';
import type { ProposalKind } from '../sql/completion/proposals.ts';
import type { Feature } from './feature.ts';
import type { SqlDocument } from './sqlDocument.ts';

const itemKinds: Readonly<Record<ProposalKind, CompletionItemKind>> = {
  column: CompletionItemKind.Field,
  join: CompletionItemKind.Snippet,
  alias: CompletionItemKind.Variable,
  commonTable: CompletionItemKind.Struct,
  table: CompletionItemKind.Struct,
  view: CompletionItemKind.Interface,
  tableFunction: CompletionItemKind.Function,
  function: CompletionItemKind.Function,
  keyword: CompletionItemKind.Keyword,
  database: CompletionItemKind.Module,
  index: CompletionItemKind.Reference,
  trigger: CompletionItemKind.Event,
  window: CompletionItemKind.Variable,
  collation: CompletionItemKind.EnumMember,
  type: CompletionItemKind.TypeParameter,
  module: CompletionItemKind.Module,
  pragma: CompletionItemKind.Property,
};

export const completion: Feature = {
  capabilities: { completionProvider: { triggerCharacters: ['.', ' '] } },
  listen({ connection, documents }) {
    connection.onCompletion(async (params, token) => {
      const place = await documents.at(params);
      if (!place || token.isCancellationRequested) return null;
      return itemsOf(place.document.completionAt(place.offset), place.document);
    });
  },
};

function itemsOf({ start, end, proposals }: Completion, document: SqlDocument): CompletionItem[] {
  const range = document.rangeOf({ start, end });
  const typed = document.statements.slice(start, end);
  return proposals.map(({ label, kind, insert, detail }, index) => ({
    label,
    kind: itemKinds[kind],
    labelDetails: { description: detail },
    // Editors sort by this text. The likeliest proposal comes first.
    sortText: String(index).padStart(5, '0'),
    // A quoted name is found by what the user typed, with its quote.
    filterText: /^["[`]/.test(typed) ? insert : label,
    textEdit: TextEdit.replace(range, document.written(insert, start)),
  }));
}
