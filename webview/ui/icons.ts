/** Icons of 16 × 16 pixels, drawn with strokes in the color of the text. */
const strokes = {
  rerun: 'M12.5 5.5A5.2 5.2 0 1 0 13.2 8.5M12.8 2.5v3.2H9.6M6.7 6l3.4 2-3.4 2z',
  refresh: 'M12.5 5.5A5.2 5.2 0 1 0 13.2 8.5M12.8 2.5v3.2H9.6',
  goToStatement: 'M3 4h7M3 8h4M3 12h4M10 7.5l3 2.5-3 2.5M13 10H8.5',
  export: 'M8 2.5v7M5 7l3 3 3-3M3 11.5v2h10v-2',
  pin: 'M9.5 2.5l4 4-1 .6-2.6 2.6-.4 2.8-2.7-2.7L3 13.5l3.7-3.8L4 7l2.8-.4 2.6-2.6z',
  unpin: 'M9.5 2.5l4 4-1 .6-2.6 2.6-.4 2.8-2.7-2.7L3 13.5l3.7-3.8L4 7l2.8-.4 2.6-2.6zM2.5 2.5l11 11',
  openInEditor: 'M2.5 3.5h11v9h-11zM8 3.5v9',
  rename: 'M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9.2 4.6l2.2 2.2',
  addRow: 'M8 3v10M3 8h10',
  chart: 'M2.5 2.5v11h11M5.5 11V8M8.5 11V4.5M11.5 11V6.5',
  close: 'M4 4l8 8M12 4l-8 8',
  fit: 'M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3',
  diagram: 'M2.5 2.5h4.5v3.5h-4.5zM9 10h4.5v3.5h-4.5zM7 4.2h4.2v5.8',
  find: 'M7 2.8a4.2 4.2 0 1 0 0 8.4a4.2 4.2 0 0 0 0-8.4zM10.2 10.2l3.3 3.3',
  search: 'M2.5 3.5h11M2.5 7h4M2.5 10.5h3.5M10 6.5a2.9 2.9 0 1 0 0 5.8a2.9 2.9 0 0 0 0-5.8zM12.1 11.5l2 2',
  filter: 'M2.5 3.5h11l-4.2 5v3.8l-2.6 1.4v-5.2z',
  filterRow: 'M2.5 2.5h11v11h-11zM2.5 6h11M5 8.2h6l-2.2 2.4v1.6l-1.6.6v-2.2z',
  profile: 'M2.5 13.5h11M4 13.5v-4h2v4M7 13.5v-9h2v9M10 13.5v-6h2v6',
  scan: 'M3 4h10M3 8h10M3 12h10',
  sort: 'M5 3v10M3 11l2 2 2-2M9 4h4M9 8h3M9 12h2',
  step: 'M8 6.5a1.5 1.5 0 1 0 0 3a1.5 1.5 0 0 0 0-3z',
  copy: 'M5.5 5.5h7.5v8h-7.5zM10.5 5.5v-3h-7.5v8h2.5',
  primaryKey: 'M10 2.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7M7.5 8.5l-5 5M4.5 11.5l2 2',
  foreignKey: 'M2.5 8h10.5M9 4l4 4-4 4',
  moveToPanel: 'M2.5 2.5h11v11h-11zM2.5 9.5h11',
  more: 'M3.4 8h1.2M7.4 8h1.2M11.4 8h1.2',
  list: 'M4 6l4 4 4-4',
  readOnly: 'M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  confirmWrites: 'M8 2.5l5 1.6v3.6c0 3-2 4.9-5 6-3-1.1-5-3-5-6V4.1z',
} as const;

export type IconName = keyof typeof strokes;

const namespace = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS(namespace, 'svg');
  const path = document.createElementNS(namespace, 'path');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'picture');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', strokes[name]);
  svg.append(path);
  return svg;
}
