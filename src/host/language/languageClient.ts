import type { ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import type { Disposable } from '../../base/disposable.ts';
import { languageServerArguments } from '../../protocol/languageServer.ts';

/** Starts the language server for SQL documents in its own process. */
export async function startLanguageClient(context: ExtensionContext): Promise<Disposable> {
  const module = context.asAbsolutePath('dist/languageServer.mjs');
  const client = new LanguageClient(
    'sqlProjects',
    'SQL Projects',
    { module, transport: TransportKind.ipc, options: { execArgv: [...languageServerArguments] } },
    { documentSelector: [{ language: 'sql' }] },
  );
  await client.start();
  return { dispose: () => void client.dispose() };
}
