import type { FieldType, FieldTypes } from '../field-type.ts'
import { bigintType } from './bigint.ts'
import { booleanType } from './boolean.ts'
import { componentFieldType } from './component.ts'
import { dateType } from './date.ts'
import { datetimeType } from './datetime.ts'
import { decimalType } from './decimal.ts'
import { dynamicZoneType } from './dynamic-zone.ts'
import { emailType } from './email.ts'
import { enumType } from './enum.ts'
import { integerType } from './integer.ts'
import { jsonType } from './json.ts'
import { mediaType } from './media.ts'
import { pointType } from './point.ts'
import { relationType } from './relation.ts'
import { richtextType } from './richtext.ts'
import { stringType } from './string.ts'
import { textType } from './text.ts'

/** The built-in field types, by their names in schema files, in the order in which messages list them. */
export const builtInTypes = {
  string: stringType,
  email: emailType,
  text: textType,
  richtext: richtextType,
  integer: integerType,
  bigint: bigintType,
  decimal: decimalType,
  boolean: booleanType,
  date: dateType,
  datetime: datetimeType,
  json: jsonType,
  point: pointType,
  enum: enumType,
  media: mediaType,
  relation: relationType,
  component: componentFieldType,
  dynamicZone: dynamicZoneType,
} as const satisfies Readonly<Record<string, FieldType>>

export type BuiltInTypes = typeof builtInTypes

/** The built-in field types as a map, for services without further ones. */
export const builtInFieldTypes: FieldTypes = new Map(Object.entries(builtInTypes))
