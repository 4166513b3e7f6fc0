import { AppError } from '../answers/app-error.ts'
import type { Route } from './route.ts'

/** Where a route is served. */
export function pathOf({ path, mountedAt }: Route, apiPrefix: string): string {
  return mountedAt === 'root' ? path : `${apiPrefix}${path}`
}

/** Third-party plugins cannot answer at these paths or below them. */
export function reservedPaths(apiPrefix: string): readonly string[] {
  return [apiPrefix, '/admin']
}

export function segmentsOf(path: string): string[] {
  return path.split('/').slice(1)
}

/** Whether a path equals one of `above` or is below one. */
export function isBelow(path: string, above: readonly string[]): boolean {
  return above.some((each) => path === each || path.startsWith(`${each}/`))
}

/**
 * Whether a path names a resource unambiguously. Neither server normalises paths, so those that a proxy or file
 * system might read differently are refused: with empty or dot segments, encoded slashes or backslashes.
 * @throws AppError 400 for an unreadable path
 */
export function isHarmless(path: string): boolean {
  const decoded = decodePath(path)
  if (path === '/') return true
  if (/[\\#]/.test(decoded) || /%2f/i.test(path)) return false
  return segmentsOf(decoded).every((segment) => segment !== '' && segment !== '.' && segment !== '..')
}

/** @throws AppError 400 for a path that is not percent-encoded UTF-8 */
export function decodePath(path: string): string {
  const refusal = new AppError('VALIDATION_ERROR', 'the path is not percent-encoded UTF-8')
  if (!/^[\x21-\x7e]*$/.test(path)) throw refusal
  let decoded: string
  try {
    decoded = decodeURIComponent(path)
  } catch {
    throw refusal
  }
  if (decoded.includes('\0')) throw refusal
  return decoded
}
