import type { ClientCapabilities, Connection, ServerCapabilities } from 'vscode-languageserver/node';
import type { LanguageSettings } from './languageSettings.ts';
import type { ServedDocuments } from './servedDocuments.ts';

/** What every feature of the server uses. */
export interface LanguageServer {
  readonly connection: Connection;
  readonly documents: ServedDocuments;
  readonly settings: LanguageSettings;
  /** What the editor can do. Empty until it initializes the server. */
  readonly client: ClientCapabilities;
}

/** A feature answers requests of the editor. It translates between the protocol and sql/. */
export interface Feature {
  readonly capabilities: ServerCapabilities;
  listen(server: LanguageServer): void;
}
