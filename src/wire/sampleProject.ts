/** How the local service names its sample project. */
export const sampleProject = { holderId: 'local', projectName: 'Sample Shop' } as const;
