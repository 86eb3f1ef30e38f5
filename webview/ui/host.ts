import { config } from '@vscode/l10n';
import { monotonicClock } from '../../src/base/clock.ts';
import { asRecord, parseJson } from '../../src/base/decode.ts';
import type { Bridge, EventTable, Listeners, MethodTable, BridgeMessage } from '../../src/protocol/bridge.ts';
import { BridgeClient } from '../../src/protocol/bridgeClient.ts';

/** `onError` is called for events that cannot be decoded, and `onSilence` for a host that has ended or answers again. */
export function connectToHost<M extends MethodTable, E extends EventTable>(
  bridge: Bridge<M, E>,
  listeners: Listeners<E>,
  onError: (error: Error) => void,
  onSilence?: (isSilent: boolean) => void,
): BridgeClient<M, E> {
  const host = new BridgeClient(bridge, {
    send: envelope => vsCodeApi().postMessage(envelope),
    listeners,
    onError,
    ...(onSilence && { silence: { clock: monotonicClock, onSilence } }),
  });
  window.addEventListener('message', event => host.receive(event.data));
  return host;
}

/** Loads the translations that came with the page. Without any, texts are in English. */
export function loadTranslations(): void {
  const { content = '' } = document.querySelector<HTMLMetaElement>('meta[name="translations"]') ?? {};
  config({ contents: (asRecord(parseJson(content)) ?? {}) as Record<string, string> });
}

/** The host's message for a page that has nothing to show. */
export const pageMessage = (): string => pageRoot().dataset['message'] ?? '';

/** Undefined for the language of the browser. */
export function pageLanguage(): string | undefined {
  return document.documentElement.lang || undefined;
}

/** The host's HTML always has this element. */
export const pageRoot = (): HTMLElement => document.getElementById('app')!;

interface VsCodeApi {
  postMessage(message: BridgeMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

let acquired: VsCodeApi | undefined;

/** VS Code gives the API to a page only once. */
export function vsCodeApi(): VsCodeApi {
  acquired ??= acquireVsCodeApi();
  return acquired;
}

/** Older entries are forgotten. Nobody keeps as many results open. */
const maxEntries = 30;

/** State that VS Code keeps for a page. VS Code removes a hidden page and loads it again later. */
export class PageMemory {
  readonly #area: string;
  readonly #max: number;

  /** `area` separates the states of the parts of a page. */
  constructor(area: string, max = maxEntries) {
    this.#area = area;
    this.#max = max;
  }

  read(key: string): unknown {
    const entries = this.#entries();
    return Object.hasOwn(entries, key) ? entries[key] : undefined;
  }

  write(key: string, value: unknown): void {
    const others = Object.entries(this.#entries()).filter(([name]) => name !== key);
    const entries: Readonly<Record<string, unknown>> = Object.fromEntries(
      [...others, [key, value] as const].slice(-this.#max),
    );
    vsCodeApi().setState({ ...asRecord(vsCodeApi().getState()), [this.#area]: entries });
  }

  #entries(): Readonly<Record<string, unknown>> {
    return asRecord(asRecord(vsCodeApi().getState())?.[this.#area]) ?? {};
  }
}
