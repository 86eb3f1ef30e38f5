import { serviceCodes, ServiceError } from '../wire/serviceError.ts';

export function noProject(projectId: string): ServiceError {
  const message = `There is no project with the id "${projectId}".`;
  return new ServiceError({ status: 404, code: serviceCodes.projectNotFound, message });
}
