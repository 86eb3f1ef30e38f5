/** What surrounds SQL documents: a file of its own in the build, read with the first of them. */
export { chooseProjectOfEditor } from './chooseProject.ts';
export { ProjectStatus } from './projectStatus.ts';
