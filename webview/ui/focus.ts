/**
 * Focuses an element of this page, but never fetches the focus from another part of VS Code: while it is there, the
 * element has to wait until the page is focused again.
 */
export function focusHere(element: HTMLElement): void {
  if (document.hasFocus()) {
    element.focus();
    return;
  }
  const returned = (): void => {
    if (element.isConnected && document.activeElement === document.body) element.focus();
  };
  window.addEventListener('focus', returned, { once: true });
}
