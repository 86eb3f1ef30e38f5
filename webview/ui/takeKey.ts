/** Keeps a key that the page handles from everybody else: the browser, the elements around, and VS Code. */
export function takeKey(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
  // VS Code focuses its menu when Alt is released, unless it sees another key before. It has no action for this one.
  if (event.altKey) window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Unidentified', altKey: true }));
}
