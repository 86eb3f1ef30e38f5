import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { WorkbenchServer } from './workbenchServer.ts';
import { stateLimitMs } from '../hangLimits.ts';

export interface WorkbenchPageOptions {
  /** An unpacked extension to load in development mode, for this page alone. */
  developmentExtension?: string;
  /** A module inside that extension whose `run()` is called in the extension host. */
  hostTests?: string;
  /** Set before the window opens. A window that is opening may miss a resize. */
  viewport?: { readonly width: number; readonly height: number };
}

export const defaultViewport = { width: 1280, height: 800 } as const;

export interface WorkbenchPage {
  context: BrowserContext;
  page: Page;
  /** Opens another page in the same browser profile. */
  openPage: () => Promise<Page>;
  /** Lines of the page's console, uncaught errors included. */
  consoleLines: readonly string[];
  /** URLs of requests to other machines. */
  externalRequests: readonly string[];
}

/** A page in a fresh browser profile, ready to open a workbench of `server`. */
export async function newWorkbenchPage(
  browser: Browser,
  server: WorkbenchServer,
  options: WorkbenchPageOptions = {},
): Promise<WorkbenchPage> {
  const context = await browser.newContext({
    viewport: options.viewport ?? defaultViewport,
    // The server would compress its files for each window, although they do not leave this machine.
    extraHTTPHeaders: { 'accept-encoding': 'identity' },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(stateLimitMs);
  await context.addInitScript(addDevelopmentOptions, developmentOptions(server, options));
  const consoleLines: string[] = [];
  const externalRequests: string[] = [];
  const noteRequest = (url: string): void => {
    if (leavesThisMachine(new URL(url))) externalRequests.push(url);
  };
  context.on('console', message => consoleLines.push(`${message.type()}: ${message.text()}`));
  context.on('weberror', error => consoleLines.push(`uncaught: ${error.error().stack}`));
  context.on('request', request => noteRequest(request.url()));
  const openPage = async (): Promise<Page> => {
    const page = await context.newPage();
    page.on('websocket', socket => noteRequest(socket.url()));
    return page;
  };
  return { context, page: await openPage(), openPage, consoleLines, externalRequests };
}

function leavesThisMachine({ protocol, hostname }: URL): boolean {
  if (!/^(http|ws)s?:$/.test(protocol) || ['127.0.0.1', 'localhost'].includes(hostname)) return false;
  // A service worker answers requests for a webview's files from the workbench server.
  return !hostname.endsWith('.vscode-resource.vscode-cdn.net');
}

interface DevelopmentOptions {
  extensions?: { scheme: string; authority: string; path: string }[];
  extensionTestsPath?: { scheme: string; authority: string; path: string };
}

function developmentOptions(server: WorkbenchServer, options: WorkbenchPageOptions): DevelopmentOptions {
  const remote = (path: string) => ({ scheme: 'vscode-remote', authority: new URL(server.baseUrl).host, path });
  return {
    ...(options.developmentExtension && { extensions: [remote(options.developmentExtension)] }),
    ...(options.hostTests && { extensionTestsPath: remote(options.hostTests) }),
  };
}

/**
 * Runs in the page. A deferred script of the workbench reads its configuration from this element, so `interactive` is in
 * time. The documented way, the URL parameter `payload`, needs a server flag that hides all notifications.
 */
function addDevelopmentOptions(added: DevelopmentOptions): void {
  if (window.top !== window) return;
  document.addEventListener('readystatechange', () => {
    const element = document.getElementById('vscode-workbench-web-configuration');
    const settings = element?.getAttribute('data-settings');
    if (!element || !settings || document.readyState !== 'interactive') return;
    element.setAttribute('data-settings', JSON.stringify({ ...JSON.parse(settings), developmentOptions: added }));
  });
}
