import { MortiseError } from '../../../../../../client/client.ts'

/** The HTTP status with which a request was refused; undefined if something else is wrong. */
export const refusalStatus = (error: unknown): number | undefined =>
  error instanceof MortiseError ? error.status : undefined

/** Somebody else has changed what was to be written. */
export const isOutdated = (error: unknown): boolean => refusalStatus(error) === 412
