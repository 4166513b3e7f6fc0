import type { AppError } from './app-error.ts'
import type { Pagination } from './reply.ts'

/** decisions.md, 2. `dataText` is JSON text. */
export function successEnvelope(dataText: string, pagination: Pagination | undefined): string {
  if (pagination === undefined) return `{"success":true,"data":${dataText}}`
  return `{"success":true,"data":${dataText},"pagination":${JSON.stringify(pagination)}}`
}

/** decisions.md, 2. */
export function errorEnvelope({ code, message, details }: AppError, requestId: string): string {
  const error = { code, message, ...(details === undefined ? {} : { details }), requestId }
  return JSON.stringify({ success: false, error })
}
