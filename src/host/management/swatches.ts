import { Uri } from 'vscode';
import type { ProjectColor } from '../../protocol/projectFields.ts';

interface Swatch {
  readonly light: Uri;
  readonly dark: Uri;
}

/** Dots in the colours of projects. VS Code's lists give icons of a theme no colour, so these are pictures. */
export const swatches: Readonly<Record<ProjectColor, Swatch>> = {
  red: swatch('#d1242f', '#f85149'),
  orange: swatch('#c4620a', '#ff9b3d'),
  yellow: swatch('#8a7600', '#e5c100'),
  green: swatch('#2e7d32', '#89d185'),
  blue: swatch('#0b66d6', '#4aa0ff'),
  purple: swatch('#652d90', '#b180d7'),
};

function swatch(light: string, dark: string): Swatch {
  return { light: dot(light), dark: dot(dark) };
}

function dot(color: string): Uri {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="5" fill="${color}"/></svg>`;
  return Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}
