const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

// oxlint-disable-next-line no-control-regex -- the pattern finds control characters
const noXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** XML has no control characters, not even escaped. */
export const xmlText = (text: string): string =>
  text.replaceAll(noXml, '\ufffd').replaceAll(/[&<>"]/g, sign => entities[sign]!);
