import { parseJson } from '../../src/base/shape.ts';
import { decodeLabels } from '../../src/protocol/labels.ts';
import { RpcPeer } from '../../src/protocol/rpc.ts';
import { vsCodeApi } from './vsCodeApi.ts';

/** The extension host, as this page sees it. */
export function connectToHost(onEvent: (name: string, payload: unknown) => void): RpcPeer {
  const peer = new RpcPeer({ send: envelope => vsCodeApi().postMessage(envelope), onEvent });
  window.addEventListener('message', event => peer.receive(event.data));
  return peer;
}

/** The translated sentences that came with the page. */
export function readLabels<Name extends string>(names: readonly Name[]): Readonly<Record<Name, string>> {
  return decodeLabels(names, parseJson(document.querySelector<HTMLMetaElement>('meta[name="labels"]')?.content ?? ''));
}

/** The language of the page's labels, for numbers between them. */
export function pageLanguage(): string | undefined {
  return document.documentElement.lang || undefined;
}

/** The page's root element, which the host's HTML always has. */
export function pageRoot(): HTMLElement {
  const root = document.getElementById('app');
  if (!root) throw new Error('The page has no root element.');
  return root;
}
