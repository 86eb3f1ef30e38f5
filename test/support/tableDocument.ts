import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Uri } from 'vscode';
import type { Project } from '../../src/client/index.ts';
import { EditDrafts } from '../../src/host/editing/editDrafts.ts';
import type { DocumentEdit, TableDocument } from '../../src/host/editing/tableDocument.ts';
import type { BrowsedTable } from '../../src/model/browsing/browsedTable.ts';
import type { Profile } from '../../src/model/profiles.ts';
import type { RecordedBrowsingHost } from './recordedBrowsingHost.ts';
import { stubVscode } from './vscodeStub.ts';

stubVscode();
const { TableDocument: Document } = await import('../../src/host/editing/tableDocument.ts');
const { saveEdits } = await import('../../src/host/editing/saveEdits.ts');
const { checkOutcome } = await import('../../src/host/editing/checkOutcome.ts');

export interface TestDocumentOptions {
  readonly project: Pick<Project, 'sql' | 'query'>;
  readonly profile: Profile;
  readonly table: BrowsedTable;
  readonly host: RecordedBrowsingHost;
  /** The folder of an earlier document's drafts. */
  readonly draftsFolder?: string;
}

export interface TestDocument extends AsyncDisposable {
  readonly document: TableDocument;
  readonly draftsFolder: string;
  /** The edits that VS Code could undo, the last one last. */
  readonly edits: readonly DocumentEdit[];
  save(): Promise<void>;
  checkOutcome(): Promise<void>;
}

/** The document of a table, with its drafts in a folder of its own. */
export async function openTestDocument(options: TestDocumentOptions): Promise<TestDocument> {
  const { project, profile, table, host } = options;
  const draftsFolder = options.draftsFolder ?? (await mkdtemp(join(tmpdir(), 'drafts-')));
  const edits: DocumentEdit[] = [];
  const document = new Document({
    uri: { toString: () => `sqltable:/${table.name}` } as Uri,
    profileId: profile.id,
    project,
    table,
    drafts: new EditDrafts(draftsFolder),
    onClosed: () => undefined,
    onEdit: (_document, edit) => {
      if (edit) edits.push(edit);
    },
  });
  const { signal } = new AbortController();
  const saveOptions = { document, project, profile, prompts: host.savePrompts, signal };
  const save = (): Promise<void> => saveEdits(saveOptions);
  host.onSave = save;
  return {
    document,
    draftsFolder,
    edits,
    save,
    checkOutcome: () => checkOutcome(saveOptions),
    async [Symbol.asyncDispose]() {
      await document.writeDraft();
      document.dispose();
      if (options.draftsFolder === undefined) await rm(draftsFolder, { recursive: true, force: true });
    },
  };
}
