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
  return document.withEdits(change.edits.map(one => ('newText' in one ? one : assert.fail('The edit is no text.'))));
}
