import type { BridgeMessage } from '../../src/protocol/bridge.ts';

/** The API that VS Code gives to a page. */
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
