import { ThemeColor } from 'vscode';
import type { ProjectColor } from '../wire/projectFields.ts';
import { themeColors } from './names.ts';

/** A project's colour in the present theme: as charts have it, but for orange, which themes of high contrast do not have. */
export const projectColor = (color: ProjectColor): ThemeColor =>
  new ThemeColor(color === 'orange' ? themeColors.orange : `charts.${color}`);
