import { t } from '@vscode/l10n';
import { formatSize } from '../base/size.ts';
import type { PauseReason } from './runState.ts';

/** Why a run pauses, and what the user can do. */
export function pauseText(
  reason: PauseReason,
  { rowCount, bytes }: { readonly rowCount: number; readonly bytes: number },
  language: string | undefined,
): string {
  switch (reason) {
    case 'rows':
      return t('Paused at {0} rows (limit). Continue loads as many again.', rowCount.toLocaleString(language));
    case 'bytes':
      return t('Paused at {0} (limit). Continue loads as much again.', formatSize(bytes, language));
    case 'disk':
      return t(
        'Paused: the results of this window use all disk space that they may. Close some of them, then continue.',
      );
  }
}
