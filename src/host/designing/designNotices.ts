import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import type { DesignRefusal } from '../../model/shaping/tableDesign.ts';
import type { DesignNotice } from '../../protocol/designer.ts';
import { projectErrorMessage } from '../remedies.ts';
import { designRefusalText } from '../shaping/planTexts.ts';

export const unreadNotice = (thrown: unknown, profile: Profile): DesignNotice => ({
  message: projectErrorMessage(thrown, profile),
  actions: ['reload'],
});

export const refusalNotice = (refusal: DesignRefusal, table: string): DesignNotice => ({
  message: designRefusalText(refusal, table),
  actions: ['reload'],
});

/** Somebody has changed the table since it was read. */
export const changeNotice = (table: string): DesignNotice => ({
  message: vscode.l10n.t(
    "'{0}' has changed in the project since its design was read. Nothing was sent. Keep your changes, and the SQL leads from the table as it is now to your design. Or reload the table without them.",
    table,
  ),
  actions: ['keepEdits', 'reload'],
});

export const readOnlyProjectText = ({ name }: Profile): string =>
  vscode.l10n.t("'{0}' is read-only. Change its protection to create or change tables.", name);

export function refuseReadOnly(profile: Profile): void {
  if (profile.protection === 'readOnly') throw new Error(readOnlyProjectText(profile));
}
