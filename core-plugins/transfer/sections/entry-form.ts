import { Type } from 'typebox'
import { AppError, bodyValidator, strict, whenNeeded } from '../../http/http.ts'
import type { Value } from '../canonical.ts'
import { type ItemName, nameOf } from '../transfer-item.ts'

const moment = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' })

/** See `EntryValue`. What is in `data` and `draft` is checked by the writes. */
const schema = Type.Object(
  {
    locale: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
    source: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    published_at: Type.Optional(Type.Union([moment, Type.Null()])),
    data: Type.Object({}),
    draft: Type.Optional(Type.Object({})),
  },
  strict,
)

const check = whenNeeded(() => bodyValidator(schema))

/** @throws AppError 400 unless a value has the form of an entry */
export function assertEntryForm({ value, ...item }: ItemName & { readonly value: Value }): void {
  const [problem] = check(value)
  const { published_at: at } = value
  const isNoTime = typeof at === 'string' && Number.isNaN(Date.parse(at))
  if (problem === undefined && !isNoTime) return
  const path = `${nameOf(item)}.${problem?.path ?? 'published_at'}`
  throw AppError.invalid([{ path, code: 'format', message: problem?.message ?? 'must be a time' }])
}
