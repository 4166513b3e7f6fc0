import { MortiseError } from '../../../../../../client/client.ts'

/** The HTTP status of a refused request; undefined for other errors. */
export const refusalStatus = (error: unknown): number | undefined =>
  error instanceof MortiseError ? error.status : undefined

/** Whether a write was refused because another user has changed the data since. */
export const isOutdated = (error: unknown): boolean => refusalStatus(error) === 412
