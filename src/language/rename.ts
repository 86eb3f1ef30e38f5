import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { nameAt } from '../sql/symbols/documentNames.ts';
import { checkRename, type Refusal, renameEdits } from '../sql/symbols/rename.ts';
import type { Feature } from './feature.ts';
import { rangeOfName } from './places.ts';

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
      const checked = checkRename(document, name);
      if ('refusal' in checked) return refuse(checked);
      return { range: rangeOfName(name, document), placeholder: checked.present };
    });
    connection.onRenameRequest(async (params, token) => {
      const place = await documents.at(params);
      if (!place || token.isCancellationRequested) return null;
      const { document, offset } = place;
      const name = nameAt(document, offset);
      if (!name) return null;
      const result = renameEdits(document, name, params.newName);
      if ('refusal' in result) return refuse(result);
      const edits = result.edits.map(edit => ({ range: document.rangeOf(edit), newText: edit.text }));
      return { changes: { [document.uri]: edits } };
    });
  },
};

/** Editors show the message of an error beside the name. */
const refuse = ({ refusal }: Refusal): ResponseError => new ResponseError(LSPErrorCodes.RequestFailed, refusal);
