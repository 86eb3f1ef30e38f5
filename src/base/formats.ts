/**
 * The formats of Intl, each made once: making one takes a hundred times as long as using it. A page has one language and few
 * options, so there are never many. `language` is a BCP 47 tag.
 */
export const numberFormat = madeOnce(
  (language: string | undefined, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options),
);
export const timeFormat = madeOnce(
  (language: string | undefined, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options),
);

type Make<Options, Format> = (language: string | undefined, options: Options) => Format;

function madeOnce<Options, Format>(make: Make<Options, Format>): Make<Options, Format> {
  const formats = new Map<string, Format>();
  return (language, options) => {
    const key = JSON.stringify([language, options]);
    const existing = formats.get(key);
    if (existing !== undefined) return existing;
    const format = make(language, options);
    formats.set(key, format);
    return format;
  };
}
