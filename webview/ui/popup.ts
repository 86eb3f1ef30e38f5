/** Where a popup opens: beside a point of the page. */
export interface PopupPlace {
  readonly x: number;
  readonly y: number;
}

export interface Popup {
  close(): void;
}

export interface PopupOptions {
  readonly content: HTMLElement;
  readonly place: PopupPlace;
  /** Called once, however the popup was closed. The focus goes to where it belongs by then. */
  readonly onClose: () => void;
}

let opened: Popup | undefined;

/** Shows an element above the page. Escape closes it, and whatever takes the attention elsewhere. */
export function openPopup({ content, place, onClose }: PopupOptions): Popup {
  const controller = new AbortController();
  const { signal } = controller;
  const close = (): void => {
    if (signal.aborted) return;
    controller.abort();
    opened = undefined;
    content.remove();
    onClose();
  };
  closePopup();
  content.classList.add('popup');
  document.body.append(content);
  moveIntoView(content, place);
  content.addEventListener('keydown', event => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  });
  // Neither the browser's own menu nor the one of VS Code's webviews is meant here.
  content.addEventListener('contextmenu', event => event.preventDefault());
  const pressed = ({ target }: Event): void => {
    if (!(target instanceof Node && content.contains(target))) close();
  };
  document.addEventListener('pointerdown', pressed, { capture: true, signal });
  window.addEventListener('blur', close, { signal });
  window.addEventListener('resize', close, { signal });
  return (opened = { close });
}

/** What the popup is about is going to be shown no longer. */
export function closePopup(): void {
  opened?.close();
}

function moveIntoView(content: HTMLElement, { x, y }: PopupPlace): void {
  const { width, height } = content.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  content.style.left = `${Math.max(0, Math.min(x, clientWidth - width))}px`;
  content.style.top = `${Math.max(0, Math.min(y, clientHeight - height))}px`;
}
