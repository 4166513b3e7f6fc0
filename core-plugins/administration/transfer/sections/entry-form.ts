import { type TSchema, Type } from 'typebox'
import { AppError, bodyValidator, strict, type Validator, whenNeeded } from '../../../foundation/http/http.ts'
import {
  type EntryCompanion,
  type ItemName,
  nameOf,
  type Value,
} from '../../../foundation/sections/sections.ts'

const moment = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' })

/** The schema of `EntryValue`. The contents of `data` and `draft` are checked when they are written. */
function schemaWith(companions: readonly EntryCompanion[]): TSchema {
  const beside = companions.map(({ name, valueSchema }) => [name, Type.Optional(valueSchema)])
  return Type.Object(
    {
      locale: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
      source: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      published_at: Type.Optional(Type.Union([moment, Type.Null()])),
      data: Type.Object({}),
      draft: Type.Optional(Type.Object({})),
      beside: Type.Optional(Type.Object(Object.fromEntries(beside), strict)),
    },
    strict,
  )
}

/** Makes a check that a value has the form of an entry with its companions. */
export function entryForm(companions: () => readonly EntryCompanion[]) {
  const check: Validator = whenNeeded(() => bodyValidator(schemaWith(companions())))
  /** @throws AppError 400 */
  return ({ value, ...item }: ItemName & { readonly value: Value }): void => {
    const [problem] = check(value)
    const { published_at: at } = value
    const isNoTime = typeof at === 'string' && Number.isNaN(Date.parse(at))
    if (problem === undefined && !isNoTime) return
    const path = `${nameOf(item)}.${problem?.path ?? 'published_at'}`
    throw AppError.invalid([{ path, code: 'format', message: problem?.message ?? 'must be a time' }])
  }
}
