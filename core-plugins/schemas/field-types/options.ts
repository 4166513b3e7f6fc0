import { Type } from 'typebox'
import type { FileProblem } from '../file-problem.ts'
import { shorten } from '../file-problem.ts'

/** Options that several types of fields have. */
export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
export const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))
export const someText = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

export const uniqueOption = flag('No two entries may have the same value (per locale on localised types).')

/** Bounds that leave no room between them. */
export function crossed(at: string, least: unknown, greatest: unknown): FileProblem {
  return {
    at,
    message: `is ${least}, more than the greatest allowed, ${greatest}`,
    remedy: 'exchange or correct them',
  }
}

/** A default that the field itself would refuse; `expected` completes `but must …`. */
export function badDefault(value: unknown, expected: string): FileProblem {
  return {
    at: 'default',
    message: `is ${shorten(value)}, but must ${expected}`,
    remedy: 'correct it or remove it',
  }
}

/** The default as JSON Schema has it. */
export function schemaDefault(value: unknown): { default?: unknown } {
  return value === undefined ? {} : { default: value }
}

/** Without the keys that hold nothing. */
export function compact<T extends object>(value: T): Compact<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Compact<T>
}

type Compact<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}
