import type { ProjectSchema } from './projectSchema.ts';
import type { ServedDocuments } from './servedDocuments.ts';
import type { ServedFile } from './servedFile.ts';

interface KnownProject {
  readonly isServed: boolean | undefined;
  readonly project: ProjectSchema | undefined;
}

/**
 * Calls `refresh` when an open file gets or loses its project, or when the schema of its project changes. The editor repeats
 * its requests by itself only when the text changes.
 */
export function onProjectChange(documents: ServedDocuments, refresh: () => Promise<void>): void {
  const known = new WeakMap<ServedFile, KnownProject>();
  documents.onDidChange(file => {
    const { isServed, project } = file;
    // Until the host has named the project, requests wait.
    if (isServed === undefined) return;
    const before = known.get(file);
    known.set(file, { isServed, project });
    if (!before || (before.isServed === isServed && before.project === project)) return;
    // An editor that cannot refresh repeats its requests with the next edit.
    refresh().catch(() => undefined);
  });
}
