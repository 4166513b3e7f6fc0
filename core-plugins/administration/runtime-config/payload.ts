import type { RuntimeSettings } from '../../foundation/config/config.ts'
import { AppError, type ErrorDetail } from '../../foundation/http/http.ts'
import type { SettingValues } from './runtime-config.ts'

type Tree = Readonly<Record<string, unknown>>

/**
 * Reads the values of a payload whose keys are dotted, nested, or both. An object is a value if its path is
 * the key of a setting, and a level of nesting if there are settings below it.
 * @throws AppError 400 if a key is given twice
 */
export function valuesIn(payload: Tree, { settings }: RuntimeSettings): SettingValues {
  const levels = new Set([...settings.keys()].flatMap(levelsOf))
  const values: Record<string, unknown> = Object.create(null)
  const doubled: ErrorDetail[] = []

  function collect(tree: Tree, prefix: string): void {
    for (const [name, value] of Object.entries(tree)) {
      const key = prefix + name
      if (isTree(value) && levels.has(key) && !settings.has(key)) collect(value, `${key}.`)
      else if (key in values) doubled.push(twice(key))
      else values[key] = value
    }
  }

  collect(payload, '')
  if (doubled.length > 0) throw AppError.invalid(doubled)
  return values
}

/** An export may be sent back with its envelope. */
export function unwrap(payload: Tree): Tree {
  return payload.success === true && isTree(payload.data) ? payload.data : payload
}

/** `api` and `api.cors` of `api.cors.origins`. */
function levelsOf(key: string): string[] {
  const parts = key.split('.')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'))
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function twice(path: string): ErrorDetail {
  return { path, code: 'doubled', message: 'is given twice, nested and dotted; send it once' }
}
