import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProfileWriter } from '../../../src/host/management/profileWriter.ts';
import type { Projects } from '../../../src/host/connections/projects.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { exportProjects, importProjects } = await import('../../../src/host/management/management.ts');

const file = { path: '/projects.json' };
const baseUrl = 'http://127.0.0.1:9';
const entry = (projectId: string): object => ({ baseUrl, projectId });

interface Seen {
  readonly messages: string[];
  readonly buttons: string[];
  readonly commands: unknown[][];
}

/** Records messages. The user chooses the first button of each. */
function recordMessages(): Seen {
  const seen: Seen = { messages: [], buttons: [], commands: [] };
  const show = async (message: string, ...buttons: string[]): Promise<string | undefined> => {
    seen.messages.push(message);
    seen.buttons.push(...buttons);
    return buttons[0];
  };
  Object.assign(vscode.window, {
    showInformationMessage: show,
    showWarningMessage: show,
    showOpenDialog: async () => [file],
    showSaveDialog: async () => file,
  });
  Object.assign(vscode.commands, { executeCommand: async (...args: unknown[]) => void seen.commands.push(args) });
  return seen;
}

async function importing(entries: readonly unknown[], present: readonly object[] = []): Promise<Seen> {
  const seen = recordMessages();
  Object.assign(vscode.workspace, { fs: { readFile: async () => Buffer.from(JSON.stringify(entries)) } });
  const writer = { write: async (_scope: string, change: (setting: unknown) => unknown) => void change(present) };
  await importProjects(writer as unknown as ProfileWriter);
  return seen;
}

test('an import ends with setting the keys of the new projects', async () => {
  const one = await importing([entry('p1'), entry('p2')], [entry('p2')]);
  assert.deepEqual(one.messages, ['Imported 1 project. Set its API key to use it. 1 project already exists.']);
  assert.deepEqual(one.buttons, ['Set API Key']);
  const two = await importing([entry('p1'), entry('p2')]);
  assert.deepEqual(two.messages, ['Imported 2 projects. Set their API keys to use them.']);
  assert.deepEqual(
    two.commands,
    ['p1', 'p2'].map(id => ['sqlProjects.setKey', `${baseUrl} ${id}`]),
  );
});

test('an import says which entries were left out', async () => {
  const { messages, buttons } = await importing([5, entry('p1')], [entry('p1')]);
  assert.deepEqual(messages, [
    "Imported no projects. 1 project already exists. Entry 1 of 'sqlProjects.projects' must be an object.",
  ]);
  assert.deepEqual(buttons, []);
});

const listed = (...profiles: readonly Profile[]): Projects =>
  ({ list: async () => ({ profiles, problems: [], localFault: undefined }) }) as unknown as Projects;
const ofSettings = makeProfile({ baseUrl, projectId: 'p1', source: 'settings', scope: 'user' });
const local = makeProfile({ baseUrl, projectId: 'p2', source: 'local' });

test('an export says what it left out', async () => {
  const seen = recordMessages();
  Object.assign(vscode.workspace, { fs: { writeFile: async () => {} } });
  await exportProjects(listed(ofSettings));
  await exportProjects(listed(ofSettings, local));
  assert.deepEqual(seen.messages, [
    'Exported 1 project. API keys are not in the file.',
    'Exported 1 project. API keys and 1 project of a local service are not in the file.',
  ]);
});

test('an export without projects offers to add one', async () => {
  const seen = recordMessages();
  await exportProjects(listed());
  assert.deepEqual(seen.messages, ['There are no projects in the settings to export.']);
  assert.deepEqual(seen.buttons, ['Add Project', 'Try It Locally']);
});
