import { AppError, type ErrorDetail } from '../../foundation/http/http.ts'
import type { Arguments, JsonSchema } from './tool.ts'

/**
 * Checks only the names of arguments; the route validates their values.
 * @throws AppError 400 with all missing or unknown names
 */
export function assertArguments(given: Arguments, schema: JsonSchema): void {
  const known = Object.keys(schema.properties as object)
  const required = (schema.required ?? []) as readonly string[]
  const details: ErrorDetail[] = [
    ...required
      .filter((name) => !Object.hasOwn(given, name))
      .map((path) => ({ path, code: 'required', message: 'is required' })),
    ...Object.keys(given)
      .filter((name) => !known.includes(name))
      .slice(0, 20)
      .map((path) => ({
        path,
        code: 'unknown',
        message: `is no argument; there are ${known.join(', ') || 'none'}`,
      })),
  ]
  if (details.length > 0) throw AppError.invalid(details)
}
