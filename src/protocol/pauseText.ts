import { formatSize } from '../base/size.ts';
import type { GridLabels } from './labels.ts';
import type { PauseReason } from './runState.ts';

/** Why a run pauses, and what the user can do. */
export function pauseText(
  reason: PauseReason,
  { rowCount, bytes }: { readonly rowCount: number; readonly bytes: number },
  labels: GridLabels,
  language: string | undefined,
): string {
  const label = labels[`paused.${reason}`];
  return label.replace('{0}', reason === 'bytes' ? formatSize(bytes, language) : rowCount.toLocaleString(language));
}
