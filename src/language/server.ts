import {
  type ClientCapabilities,
  createConnection,
  DidChangeConfigurationNotification,
  ProposedFeatures,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { codeActions } from './codeActions.ts';
import { completion } from './completion.ts';
import { diagnostics } from './diagnostics.ts';
import { folding, selectionRanges, symbols } from './documentStructure.ts';
import type { Feature, LanguageServer } from './feature.ts';
import { formatting } from './formatting.ts';
import { inlayHints } from './inlayHints.ts';
import { LanguageSettings } from './languageSettings.ts';
import { definition, highlights, hover, linkedEditing, references, rename } from './names.ts';
import { resultColumns } from './resultColumns.ts';
import { semanticTokens } from './semanticTokens.ts';
import { ServedDocuments } from './servedDocuments.ts';
import { ServedSchemas } from './servedSchemas.ts';
import { signatureHelp } from './signatureHelp.ts';
import { workspaceSymbols } from './workspaceSymbols.ts';

/* The language server's process. */

const features: readonly Feature[] = [
  codeActions,
  completion,
  definition,
  diagnostics,
  folding,
  formatting,
  highlights,
  hover,
  inlayHints,
  linkedEditing,
  references,
  rename,
  resultColumns,
  selectionRanges,
  semanticTokens,
  signatureHelp,
  symbols,
  workspaceSymbols,
];

const connection = createConnection(ProposedFeatures.all);
const settings = new LanguageSettings(connection);
const schemas = new ServedSchemas(connection);
const documents = new ServedDocuments(connection, schemas, settings);
documents.onDidClose(({ uri }) => settings.forget(uri));

let clientCapabilities: ClientCapabilities = {};
connection.onInitialize(({ capabilities: editor }) => {
  clientCapabilities = editor;
  if (editor.workspace?.didChangeConfiguration?.dynamicRegistration) {
    // Without a registration, the editor does not report changed settings.
    connection.onInitialized(() => void connection.client.register(DidChangeConfigurationNotification.type));
  }
  const capabilities: ServerCapabilities = { textDocumentSync: TextDocumentSyncKind.Incremental };
  for (const feature of features) Object.assign(capabilities, feature.capabilities);
  return { capabilities };
});
const server: LanguageServer = {
  connection,
  documents,
  schemas,
  settings,
  get clientCapabilities() {
    return clientCapabilities;
  },
};
for (const feature of features) feature.listen(server);
connection.listen();
