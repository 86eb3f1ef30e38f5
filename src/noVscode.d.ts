// What `vscode` means outside host/: nothing. Every layer but host maps the module to this file, so that using it does not compile.
export {};
