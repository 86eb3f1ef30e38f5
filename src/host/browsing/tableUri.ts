import * as vscode from 'vscode';
import { asNonBlankString } from '../../base/decode.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { Profile } from '../../model/profiles.ts';
import { schemes } from '../names.ts';

interface TableAddress {
  readonly profileId: string;
  /** The project's name when the table was opened. Shown if the project is gone. */
  readonly project: string;
  readonly table: BrowsedTable;
}

/** The last segment of the path names the tab until the table is shown. */
export function tableUri(
  { id, name: project }: Pick<Profile, 'id' | 'name'>,
  { name, kind }: BrowsedTable,
): vscode.Uri {
  // The user sees the path. A slash in a name must not look like a folder.
  const segments = [project, name].map(segment => segment.replaceAll('/', '\u2215') || '\u2423');
  const query = new URLSearchParams({ profile: id, project, table: name, kind }).toString();
  return vscode.Uri.from({ scheme: schemes.table, path: `/${segments.join('/')}`, query });
}

/** Undefined for a URI that the extension did not make. */
export function tableAddressOf({ query }: vscode.Uri): TableAddress | undefined {
  const fields = new URLSearchParams(query);
  const profileId = asNonBlankString(fields.get('profile'));
  const name = fields.get('table');
  if (profileId === undefined || name === null) return undefined;
  const kind = fields.get('kind') === 'view' ? 'view' : 'table';
  return { profileId, project: fields.get('project') ?? '', table: { name, kind } };
}
