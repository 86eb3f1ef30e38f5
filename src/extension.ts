import type { ExtensionContext } from 'vscode';
import { compose } from './host/composition.ts';

let composition: { dispose(): Promise<void> } | undefined;

export function activate(context: ExtensionContext): void {
  composition = compose(context);
}

export async function deactivate(): Promise<void> {
  await composition?.dispose();
  composition = undefined;
}
