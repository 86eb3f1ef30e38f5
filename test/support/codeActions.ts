import assert from 'node:assert/strict';
import type { CodeAction, Diagnostic, Range } from 'vscode-languageserver-protocol';
import type { TestDocument } from './languageServer.ts';

interface ActionRequest {
  readonly range: Range;
  readonly diagnostics?: readonly Diagnostic[];
  readonly only?: readonly string[];
}

export async function codeActions(
  document: TestDocument,
  { range, diagnostics = [], only }: ActionRequest,
): Promise<CodeAction[]> {
  const context = { diagnostics, ...(only && { only }) };
  const parameters = { textDocument: { uri: document.uri }, range, context };
  return (await document.server.request<CodeAction[] | null>('textDocument/codeAction', parameters)) ?? [];
}

/** The text after an action, which must be for the present version of the document. */
export function textAfter(document: TestDocument, { edit }: CodeAction): string {
  const [change] = edit?.documentChanges ?? [];
  assert.ok(change && 'edits' in change && change.textDocument.version === document.version);
  const edits = change.edits.map(one => ('newText' in one ? one : assert.fail('The edit is no text.')));
  let { text } = document;
  for (const { range, newText } of edits.toSorted((a, b) => offsetOf(b.range) - offsetOf(a.range))) {
    text = text.slice(0, offsetOf(range)) + newText + text.slice(document.offsetAt(range.end));
  }
  return text;

  function offsetOf({ start }: Range): number {
    return document.offsetAt(start);
  }
}
