// The module `vscode` outside of host/, which has nothing. Every layer but host maps the module to this file, so that using it does not compile.
export {};
