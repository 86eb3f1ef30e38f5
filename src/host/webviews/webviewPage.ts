import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { abortedCode, RpcPeer, type Methods } from '../../protocol/rpc.ts';
import { errorMessage } from '../errorMessages.ts';
import { asProjectError, isAbort } from '../../base/errors.ts';

export interface PageOptions {
  readonly extensionUri: vscode.Uri;
  /** Name of the page's bundle in dist/webview. */
  readonly bundle: string;
  readonly title: string;
  /** Translated sentences for the page. */
  readonly labels: object;
  readonly methods: Methods;
}

/** Puts a bundled page into a webview and opens the way for calls in both directions. */
export function openPage(webview: vscode.Webview, options: PageOptions): RpcPeer {
  const root = vscode.Uri.joinPath(options.extensionUri, 'dist', 'webview');
  const peer = new RpcPeer({
    send: envelope => void webview.postMessage(envelope),
    methods: options.methods,
    describe: thrown => ({
      code: asProjectError(thrown)?.code ?? (isAbort(thrown) ? abortedCode : 'internal_error'),
      message: errorMessage(thrown),
    }),
  });
  webview.onDidReceiveMessage(message => peer.receive(message));
  webview.options = { enableScripts: true, localResourceRoots: [root] };
  webview.html = pageHtml(webview, root, options);
  return peer;
}

/** Scripts and styles by nonce or from the extension's own folder, and nothing else: no network, no inline code. */
function pageHtml(webview: vscode.Webview, root: vscode.Uri, { bundle, title, labels }: PageOptions): string {
  const nonce = randomBytes(18).toString('base64url');
  const resource = (name: string): string =>
    escapeHtml(webview.asWebviewUri(vscode.Uri.joinPath(root, name)).toString());
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="labels" content="${escapeHtml(JSON.stringify(labels))}">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${resource(`${bundle}.css`)}">
</head>
<body>
<main id="app"></main>
<script type="module" nonce="${nonce}" src="${resource(`${bundle}.js`)}"></script>
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

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, found => escapes[found] ?? found);
