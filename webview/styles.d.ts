// Styles are bundled beside their script.
declare module '*.css' {}

// The build puts the code of the diagram's worker there, as a text.
declare module 'diagram-worker' {
  const code: string;
  export default code;
}
