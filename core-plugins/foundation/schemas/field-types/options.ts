import { Type } from 'typebox'
import type { FileProblem } from '../files/file-problem.ts'
import { shorten } from '../files/file-problem.ts'

/** Options that several field types share. */
export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
export const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))
export const someText = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

export const uniqueOption = flag('No two entries may have the same value (per locale on localised types).')

/** The problem of a lower bound that exceeds the upper one. */
export function crossed(at: string, least: unknown, greatest: unknown): FileProblem {
  return {
    at,
    message: `is ${least}, more than the greatest allowed, ${greatest}`,
    remedy: 'exchange or correct them',
  }
}

/** The problem of a default that the field itself would refuse; `expected` completes `but must …`. */
export function badDefault(value: unknown, expected: string): FileProblem {
  return {
    at: 'default',
    message: `is ${shorten(value)}, but must ${expected}`,
    remedy: 'correct it or remove it',
  }
}

/** The keyword `default` of a JSON Schema, if there is a default. */
export function schemaDefault(value: unknown): { default?: unknown } {
  return value === undefined ? {} : { default: value }
}

/** A copy without the keys whose values are undefined. */
export function compact<T extends object>(value: T): Compact<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Compact<T>
}

type Compact<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}
