/** A test compares this version with package.json. */
export const VERSION = '0.1.0';

/** The version of the service interface. */
export const API_VERSION = '1';

export const userAgent = `sql-project-explorer/${VERSION} api/${API_VERSION}`;
