import {
  type Command,
  type CompletionClientCapabilities,
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type CompletionParams,
  CompletionTriggerKind,
  InsertReplaceEdit,
  InsertTextFormat,
  InsertTextMode,
  MarkupKind,
  TextEdit,
} from 'vscode-languageserver/node';
import { systemClock } from '../base/clock.ts';
import { withoutIcons } from '../base/icons.ts';
import { triggerCharacters, type Completion } from '../sql/completion/completion.ts';
import { documentationOf } from '../sql/completion/documentation.ts';
import type { Proposal, ProposalKind } from '../sql/completion/proposals.ts';
import type { Feature } from './feature.ts';
import type { SqlDocument } from './sqlDocument.ts';

const itemKinds: Readonly<Record<ProposalKind, CompletionItemKind>> = {
  column: CompletionItemKind.Field,
  columnList: CompletionItemKind.Snippet,
  expression: CompletionItemKind.Value,
  join: CompletionItemKind.Operator,
  alias: CompletionItemKind.Variable,
  commonTable: CompletionItemKind.Struct,
  table: CompletionItemKind.Struct,
  view: CompletionItemKind.Interface,
  tableFunction: CompletionItemKind.Function,
  function: CompletionItemKind.Function,
  keyword: CompletionItemKind.Keyword,
  snippet: CompletionItemKind.Snippet,
  database: CompletionItemKind.Module,
  index: CompletionItemKind.Reference,
  trigger: CompletionItemKind.Event,
  window: CompletionItemKind.Variable,
  collation: CompletionItemKind.EnumMember,
  type: CompletionItemKind.TypeParameter,
  module: CompletionItemKind.Module,
  pragma: CompletionItemKind.Property,
  pragmaValue: CompletionItemKind.EnumMember,
};

/** Identifies the proposal of an item when the editor requests its documentation. */
interface ItemData {
  readonly list: number;
  readonly index: number;
}

/** The list comes without the values of a lookup table if they take longer, since the user types on. The next letter shows them. */
const maxLookupMs = 100;

export const completion: Feature = {
  capabilities: {
    completionProvider: {
      triggerCharacters: [...triggerCharacters],
      resolveProvider: true,
      completionItem: { labelDetailsSupport: true },
    },
  },
  listen(server) {
    const { connection, documents } = server;
    let latest: readonly Proposal[] = [];
    let listNumber = 0;
    connection.onCompletion(async (params, token): Promise<CompletionList | null> => {
      const place = await documents.placeAt(params);
      if (!place || token.isCancellationRequested) return null;
      const { document } = place;
      const { version } = document;
      const list = (): CompletionList | null => {
        const found = completionFor(params, place);
        if (!found) return null;
        latest = found.proposals;
        listNumber++;
        return listOf(found, document, server.clientCapabilities.textDocument?.completion ?? {}, listNumber);
      };
      const first = list();
      const lookups = document.project?.takeLookups();
      if (!lookups) return first;
      await Promise.race([lookups, new Promise(resolve => systemClock.after(maxLookupMs, () => resolve(undefined)))]);
      if (token.isCancellationRequested) return null;
      // If a letter was typed meanwhile, the editor filters the first list.
      return document.version === version ? list() : first;
    });
    connection.onCompletionResolve(item => {
      const data = item.data as ItemData | undefined;
      const proposal = data?.list === listNumber ? latest[data.index] : undefined;
      const value = proposal && documentationOf(proposal);
      return value === undefined ? item : { ...item, documentation: { kind: MarkupKind.Markdown, value } };
    });
  },
};

function completionFor(
  { context }: CompletionParams,
  { document, offset }: { readonly document: SqlDocument; readonly offset: number },
): Completion | undefined {
  const { triggerKind, triggerCharacter = '' } = context ?? {};
  return triggerKind === CompletionTriggerKind.TriggerCharacter
    ? document.completionAfterCharacter(triggerCharacter, offset)
    : document.completionAt(offset);
}

const showParameters: Command = { title: 'Show Parameters', command: 'editor.action.triggerParameterHints' };

function listOf(
  { start, end, insertEnd, proposals, isIncomplete }: Completion,
  document: SqlDocument,
  supports: CompletionClientCapabilities,
  listNumber: number,
): CompletionList {
  const { snippetSupport, insertReplaceSupport, insertTextModeSupport } = supports.completionItem ?? {};
  const replace = document.rangeOf({ start, end });
  const insert = document.rangeOf({ start, end: insertEnd });
  // The protocol allows no edit over several lines. So a name with a line break has no proposals.
  if (replace.start.line !== replace.end.line) return { isIncomplete: false, items: [] };
  const isQuoted = /^["[`]/.test(document.statements.slice(start, end));
  const takesAsIs = insertTextModeSupport?.valueSet.includes(InsertTextMode.asIs) ?? false;
  const items = proposals.flatMap((proposal, index): CompletionItem[] => {
    const { label, kind, detail, origin, addition } = proposal;
    if (kind === 'snippet' && !snippetSupport) return [];
    const plainText = document.escape(proposal.insert, start);
    // If the literal of a program needs escapes, tab stops cannot be mixed with them.
    const snippet = snippetSupport && plainText === proposal.insert ? proposal.snippet : undefined;
    const text = snippet ?? plainText;
    return [
      {
        label: withoutIcons(label),
        kind: itemKinds[kind],
        labelDetails: {
          ...(detail !== '' && { detail: kind === 'function' || kind === 'tableFunction' ? detail : ` ${detail}` }),
          ...(origin !== '' && { description: origin }),
        },
        // Editors sort by this text. The likeliest proposal comes first.
        sortText: String(index).padStart(5, '0'),
        // The editor compares this text with the typed one, which has the quote.
        filterText: isQuoted ? proposal.insert : label,
        textEdit: insertReplaceSupport
          ? InsertReplaceEdit.create(text, insert, replace)
          : TextEdit.replace(replace, text),
        ...(snippet !== undefined && { insertTextFormat: InsertTextFormat.Snippet }),
        // The snippet that adds FROM has its own indentation.
        ...(kind === 'column' && takesAsIs && { insertTextMode: InsertTextMode.asIs }),
        // The parameters show at once, as when the user types the parenthesis.
        ...(snippet?.includes('($1)') && { command: showParameters }),
        ...(addition && {
          additionalTextEdits: [TextEdit.replace(document.rangeOf(addition), document.escape(addition.text, start))],
        }),
        data: { list: listNumber, index } satisfies ItemData,
      },
    ];
  });
  return { isIncomplete, items };
}
