import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import {
  abortedCode,
  type Bridge,
  type EventTable,
  type MethodTable,
  type ServedMethods,
} from '../../protocol/bridge.ts';
import { BridgeServer } from '../../protocol/bridgeServer.ts';
import { errorMessage } from '../errorMessages.ts';
import { asProjectError, isAbort } from '../../base/errors.ts';

interface PageOptions<E extends EventTable> {
  readonly extensionUri: vscode.Uri;
  readonly bridge: Bridge<MethodTable, E>;
  readonly title: string;
  /** The message of a page that has nothing to show. */
  readonly message?: string;
  readonly methods: ServedMethods;
}

/** Loads a bundled page into a webview and connects its bridge. */
export function openPage<E extends EventTable>(webview: vscode.Webview, options: PageOptions<E>): BridgeServer<E> {
  const root = vscode.Uri.joinPath(options.extensionUri, 'dist', 'webview');
  const server = new BridgeServer<E>({
    send: envelope => void webview.postMessage(envelope),
    methods: options.methods,
    describe: thrown => ({
      code: asProjectError(thrown)?.code ?? (isAbort(thrown) ? abortedCode : 'internal_error'),
      message: errorMessage(thrown),
    }),
  });
  webview.onDidReceiveMessage(message => server.receive(message));
  webview.options = { enableScripts: true, localResourceRoots: [root] };
  webview.html = pageHtml(webview, root, options);
  return server;
}

/** The policy allows scripts and styles by nonce or from the extension's folder. There is no network and no inline code. */
function pageHtml<E extends EventTable>(webview: vscode.Webview, root: vscode.Uri, options: PageOptions<E>): string {
  const { bridge, title, message = '' } = options;
  const nonce = randomBytes(18).toString('base64url');
  const resource = (name: string): string =>
    escapeHtml(webview.asWebviewUri(vscode.Uri.joinPath(root, name)).toString());
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
    ...(bridge.hasWorker ? ['worker-src blob:'] : []),
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="translations" content="${escapeHtml(JSON.stringify(vscode.l10n.bundle ?? {}))}">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${resource(`${bridge.page}.css`)}">
</head>
<body>
<main id="app" data-message="${escapeHtml(message)}"></main>
<script type="module" nonce="${nonce}" src="${resource(`${bridge.page}.js`)}"></script>
</body>
</html>`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, character => escapes[character] ?? character);
