import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { type NameInDocument, nameAt } from '../sql/symbols/documentNames.ts';
import { checkRename, type RenameRefusal, renameEdits } from '../sql/symbols/rename.ts';
import type { Feature } from './feature.ts';
import { rangeOfName } from './places.ts';
import type { SqlDocument } from './sqlDocument.ts';

/** Renames what the document itself declares. */
export const rename: Feature = {
  capabilities: { renameProvider: { prepareProvider: true } },
  listen({ connection, documents }) {
    connection.onPrepareRename(async (params, token) => {
      const place = await documents.at(params);
      if (!place || token.isCancellationRequested) return null;
      const { document, offset } = place;
      const name = nameAt(document, offset);
      if (!name) return null;
      const checked = refusalIn(document, name) ?? checkRename(document, name);
      if ('refusal' in checked) return refuse(checked);
      return { range: rangeOfName(name, document), placeholder: checked.present };
    });
    connection.onRenameRequest(async (params, token) => {
      const place = await documents.at(params);
      if (!place || token.isCancellationRequested) return null;
      const { document, offset } = place;
      const name = nameAt(document, offset);
      if (!name) return null;
      const result = refusalIn(document, name) ?? renameEdits(document, name, params.newName);
      if ('refusal' in result) return refuse(result);
      const edits = result.edits.map(edit => ({
        range: document.rangeOf(edit),
        newText: document.written(edit.text, edit.start),
      }));
      return { changes: { [document.uri]: edits } };
    });
  },
};

/** A program does not show in which order its statements run. */
function refusalIn(document: SqlDocument, { occurrence }: NameInDocument): RenameRefusal | undefined {
  if (document.isWholeFile || occurrence.symbols.every(({ isLocal }) => isLocal)) return undefined;
  return { refusal: 'In a program, only aliases and other names of one statement can be renamed.' };
}

/** Editors show the message of an error beside the name. */
const refuse = ({ refusal }: RenameRefusal): ResponseError => new ResponseError(LSPErrorCodes.RequestFailed, refusal);
