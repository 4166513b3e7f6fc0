import { validate } from 'uuid'
import type { ColumnKind } from '../../../foundation/database/database.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import {
  type Attribute,
  type ContentType,
  columnOf,
  hasUuid,
  isUnique,
  uuidColumn,
  type ValueReport,
} from '../../../foundation/schemas/schemas.ts'

type Values = Readonly<Record<string, unknown>>

/** Identifies an entry within its type: the value of a unique attribute. */
export interface NaturalKey {
  /** The singular name of the type. */
  readonly type: string
  readonly attribute: string
  /** The value in stored form. */
  readonly value: string | number | boolean
  /** The requested locale, in types with locales. */
  readonly locale: string | undefined
}

export type ReadKey = { readonly key: NaturalKey } | { readonly problem: Omit<ErrorDetail, 'path'> }

/** Reads `{ "cca2": "CH" }`, or `{ "slug": "hello", "locale": "de" }`. */
export function readKey(type: ContentType, key: Values): ReadKey {
  const hasLocales = type.options.i18n.enabled && !type.attributes.has('locale')
  const names = Object.keys(key).filter((name) => !(hasLocales && name === 'locale'))
  const [name = ''] = names
  if (names.length !== 1 || !keyAttributes(type).includes(name)) return noKey(type)
  const value = keyValue(type, name, key[name])
  if (value === undefined)
    return { problem: { code: 'type', message: `${name} is no value of ${type.name}` } }
  const { locale } = key
  if (hasLocales && locale !== undefined && typeof locale !== 'string') return noKey(type)
  return {
    key: { type: type.name, attribute: name, value, locale: hasLocales ? (locale as string) : undefined },
  }
}

function isKeyAttribute(type: ContentType, attribute: Attribute): boolean {
  return isUnique(type, attribute.name) && !attribute.private && columnOf(attribute) !== undefined
}

function noKey(type: ContentType): ReadKey {
  const names = keyAttributes(type)
  const known = names.length === 0 ? 'which it has none of' : `one of ${names.join(', ')}`
  const message = `must be an id, or an object with a unique attribute of ${type.name}: ${known}`
  return { problem: { code: 'key', message } }
}

const uuidKey = 'uuid'

/** The attributes that can identify entries of a type, and `uuid`. */
export function keyAttributes(type: ContentType): string[] {
  const names = [...type.attributes.values()]
    .filter((each) => isKeyAttribute(type, each))
    .map(({ name }) => name)
  return hasUuid(type) ? [...names, uuidKey] : names
}

/** The column of such an attribute. */
export function keyColumn(type: ContentType, name: string): { name: string; kind: ColumnKind } | undefined {
  const attribute = type.attributes.get(name)
  if (attribute !== undefined) return columnOf(attribute)
  return name === uuidKey ? { name: uuidColumn, kind: 'string' } : undefined
}

/** A value in stored form; undefined if it is not valid for the attribute. */
export function keyValue(type: ContentType, name: string, sent: unknown): NaturalKey['value'] | undefined {
  const attribute = type.attributes.get(name)
  if (attribute !== undefined) return storedValue(attribute, sent)
  return typeof sent === 'string' && validate(sent) ? sent.toLowerCase() : undefined
}

function storedValue(attribute: Attribute, sent: unknown): NaturalKey['value'] | undefined {
  if (sent === undefined || sent === null || attribute.definition.shape !== 'value') return undefined
  let isValid = true
  const report: ValueReport = {
    now: new Date().toISOString(),
    depth: 0,
    problem: () => {
      isValid = false
    },
  }
  const value = attribute.definition.compileCheck(attribute as never)(sent, report)
  return isValid && ['string', 'number', 'boolean'].includes(typeof value)
    ? (value as NaturalKey['value'])
    : undefined
}

/** A text that is equal for keys of the same entry. */
export function keyText({ type, attribute, value, locale }: NaturalKey): string {
  return JSON.stringify([type, attribute, value, locale ?? null])
}

/** For messages: `cca2 "CH"`. */
export function shownKey({ attribute, value, locale }: NaturalKey): string {
  const shown = JSON.stringify(value)
  const short = shown.length <= 100 ? shown : `${shown.slice(0, 100)}…`
  return `${attribute} ${short}${locale === undefined ? '' : ` in ${locale.slice(0, 35)}`}`
}
