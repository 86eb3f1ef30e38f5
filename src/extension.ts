import type { ExtensionContext } from 'vscode';
import { compose } from './host/composition.ts';

let running: { dispose(): Promise<void> } | undefined;

export function activate(context: ExtensionContext): void {
  running = compose(context);
}

export async function deactivate(): Promise<void> {
  await running?.dispose();
  running = undefined;
}
