import type { Lazy } from '../../base/lazy.ts';
import type { TableEditors } from '../browsing/tableEditors.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { vscodeDesignPrompts } from './designPrompts.ts';
import { type DesignParts, TableDesigners } from './tableDesigners.ts';

export interface CreateTableDesignersParts extends Omit<DesignParts, 'prompts' | 'shownTable' | 'refreshTable'> {
  readonly documents: DocumentProjects;
  readonly tables: Lazy<TableEditors>;
}

/** The designer of a window, with VS Code's own questions. It knows the tables that are browsed, once one of them is. */
export function createTableDesigners({ documents, tables, ...parts }: CreateTableDesignersParts): TableDesigners {
  return new TableDesigners({
    ...parts,
    prompts: vscodeDesignPrompts(documents),
    shownTable: async () => {
      const editor = await (await tables.loaded)?.active();
      return editor?.table.kind === 'table' ? { profileId: editor.profileId, table: editor.table.name } : undefined;
    },
    refreshTable: async (profile, table) => (await tables.loaded)?.refresh(profile, table),
  });
}
