// Styles are bundled beside their script.
declare module '*.css' {}
