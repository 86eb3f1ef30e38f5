import type { ThemeKind, WorkbenchSession } from './workbench/session.ts';

export const themeKinds: readonly ThemeKind[] = ['light', 'dark', 'hcLight', 'hcDark'];

/** Takes a screenshot in every kind of theme, for people to look at. */
export async function takePictures(session: WorkbenchSession, name: string): Promise<void> {
  for (const kind of themeKinds) {
    await session.setTheme(kind);
    await session.screenshot(`${name}-${kind}`);
  }
}
