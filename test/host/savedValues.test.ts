import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtensionContext } from 'vscode';
import { stubVscode } from '../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { watchSavedValues } = await import('../../src/host/savedValues.ts');

type ChangeListener = (change: { affectsConfiguration(name: string): boolean }) => void;

/** A window whose workspace's state holds parameter values of an earlier window. */
class Window {
  readonly state = new Map<string, unknown>([
    ['sqlProjects.parameters', [{ statementHash: 'x', values: [{ type: 'text', text: 'canary' }] }]],
    ['sqlProjects.savedResults', [{ id: 'a', statement: 'SELECT ?', params: '["canary"]' }]],
  ]);
  allowsValues: boolean;
  #listener: ChangeListener = () => undefined;

  constructor(allowsValues: boolean) {
    this.allowsValues = allowsValues;
    Object.assign(vscode.workspace, {
      getConfiguration: () => ({ get: () => this.allowsValues }),
      onDidChangeConfiguration: (listener: ChangeListener) => {
        this.#listener = listener;
        return { dispose: () => undefined };
      },
    });
  }

  /** Settles when the extension is active and has had its first turn. */
  async start(): Promise<void> {
    const workspaceState = {
      get: (key: string) => this.state.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void this.state.set(key, value)),
    };
    watchSavedValues({ workspaceState } as unknown as ExtensionContext);
    await new Promise(setImmediate);
  }

  async change(allowsValues: boolean): Promise<void> {
    this.allowsValues = allowsValues;
    this.#listener({ affectsConfiguration: name => name === 'sqlProjects.results.saveParameterValues' });
    await new Promise(setImmediate);
  }

  get hasValues(): boolean {
    return JSON.stringify([...this.state]).includes('canary');
  }
}

test('values of an earlier window are removed at the start, and results stay', async () => {
  const window = new Window(false);
  await window.start();
  assert.ok(!window.hasValues);
  assert.deepEqual(window.state.get('sqlProjects.savedResults'), [{ id: 'a', statement: 'SELECT ?' }]);
});

test('values stay while the setting allows them, and are removed when the user turns it off', async () => {
  const window = new Window(true);
  await window.start();
  assert.ok(window.hasValues);
  await window.change(false);
  assert.ok(!window.hasValues);
});
