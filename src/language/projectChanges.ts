import type { ServedDocuments } from './servedDocuments.ts';
import type { ServedFile } from './servedFile.ts';

/** Calls `refresh` when a file gets another project or schema: the editor repeats its requests only when the text changes. */
export function onProjectChange(documents: ServedDocuments, refresh: () => Promise<void>): void {
  const lastProjects = new WeakMap<ServedFile, Pick<ServedFile, 'isServed' | 'project'>>();
  documents.onDidChange(file => {
    const { isServed, project } = file;
    // Requests wait until the host has named the project.
    if (isServed === undefined) return;
    const before = lastProjects.get(file);
    lastProjects.set(file, { isServed, project });
    if (!before || (before.isServed === isServed && before.project === project)) return;
    // An editor that cannot refresh repeats its requests with the next edit.
    refresh().catch(() => undefined);
  });
}
