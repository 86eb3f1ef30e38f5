/** Text for places where VS Code makes icons of `$(…)`. A word joiner prevents it. */
export const withoutIcons = (text: string): string => text.replaceAll('$(', '$\u2060(');
