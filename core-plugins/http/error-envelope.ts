import type { AppError } from './app-error.ts'

/** decisions.md, 2. */
export function errorEnvelope({ code, message, details }: AppError, requestId: string): string {
  const error = { code, message, ...(details === undefined ? {} : { details }), requestId }
  return JSON.stringify({ success: false, error })
}
