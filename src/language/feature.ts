import type { ClientCapabilities, Connection, ServerCapabilities } from 'vscode-languageserver/node';
import type { LanguageSettings } from './languageSettings.ts';
import type { ServedDocuments } from './servedDocuments.ts';
import type { ServedSchemas } from './servedSchemas.ts';

/** The parts of the server that its features share. */
export interface LanguageServer {
  readonly connection: Connection;
  readonly documents: ServedDocuments;
  readonly schemas: ServedSchemas;
  readonly settings: LanguageSettings;
  /** The capabilities of the editor. Empty until it initializes the server. */
  readonly clientCapabilities: ClientCapabilities;
}

/** A feature of the server. It translates between the language server protocol and `sql/`. */
export interface Feature {
  readonly capabilities: ServerCapabilities;
  listen(server: LanguageServer): void;
}
