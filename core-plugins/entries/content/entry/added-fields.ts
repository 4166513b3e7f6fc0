import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import type { ColumnKind } from '../../../foundation/database/database.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { EntryColumn } from './entry-extensions.ts'
import { momentSchema } from './value-schema.ts'

/** A field that entries of a type show beside their attributes, from a column that a plugin adds. It may be null. */
export interface AddedField {
  readonly name: string
  readonly kind: ColumnKind
}

/** The fields that plugins add to a type. */
export type AddedFields = (type: ContentType) => readonly AddedField[]

/** Entries of localized types always show this field, and schemas and documents already describe it. */
const localeField = 'locale'

/** The added fields that entries show, except the locale. */
export function addedFieldsOf(columns: readonly EntryColumn[]): readonly AddedField[] {
  return columns
    .filter(({ isShown, field }) => isShown && field !== localeField)
    .map(({ field, kind }) => ({ name: field, kind }))
}

const schemas: Readonly<Record<ColumnKind, TSchema>> = {
  id: Type.Integer(),
  reference: Type.Integer(),
  integer: Type.Integer(),
  bigint: Type.Union([Type.Integer(), Type.String()]),
  decimal: Type.Union([Type.Number(), Type.String()]),
  boolean: Type.Boolean(),
  string: Type.String(),
  text: Type.String(),
  date: Type.String({ format: 'date' }),
  datetime: momentSchema,
  json: Type.Unknown(),
  point: Type.Unknown(),
}

/** The schema of the field's value. */
export const addedFieldSchema = ({ kind }: AddedField): TSchema => schemas[kind]
