import type { StrapiAttribute } from './export-rows.ts'

/** The attribute of a schema file made from one of Strapi, and remarks on what was lost. */
export interface ConvertedValue {
  readonly attribute: Readonly<Record<string, unknown>>
  readonly remarks: readonly string[]
}

interface Conversion {
  /** The field type here. */
  readonly type: string
  /** Options of Strapi that have the same name and meaning here. */
  readonly kept: readonly string[]
  readonly remark?: string
}

const texts = ['minLength', 'maxLength', 'default']
const numbers = ['min', 'max', 'default']

/** By Strapi's field type; the types that are missing have no counterpart. See docs/import-from-strapi.md. */
const conversions: Readonly<Record<string, Conversion>> = {
  string: { type: 'string', kept: [...texts, 'unique'] },
  text: { type: 'text', kept: texts },
  richtext: { type: 'text', kept: texts, remark: 'is Markdown, which is kept as a text' },
  blocks: { type: 'json', kept: [], remark: 'is structured text, which is kept as JSON' },
  email: { type: 'email', kept: [...texts, 'unique'] },
  uid: { type: 'string', kept: ['maxLength'], remark: 'is not made of another field here' },
  integer: { type: 'integer', kept: [...numbers, 'unique'] },
  biginteger: { type: 'bigint', kept: numbers },
  float: { type: 'decimal', kept: numbers },
  decimal: { type: 'decimal', kept: numbers },
  date: { type: 'date', kept: ['default'] },
  time: { type: 'string', kept: ['default'], remark: 'is a time of day, which is kept as a text' },
  datetime: { type: 'datetime', kept: ['default'] },
  timestamp: { type: 'datetime', kept: [] },
  boolean: { type: 'boolean', kept: ['default'] },
  enumeration: { type: 'enum', kept: ['enum', 'default'] },
  json: { type: 'json', kept: ['default'] },
}

/** Options of Strapi without a counterpart, each with the remark that is reported. */
const lost: Readonly<Record<string, string>> = {
  private: 'is private there, and here whoever may read the type sees it',
  regex: 'has a pattern, which is not checked here',
}

/** Returns undefined if the type has no counterpart. */
export function convertValue(
  attribute: StrapiAttribute,
  { isInComponent }: { readonly isInComponent: boolean },
): ConvertedValue | undefined {
  const conversion = conversions[attribute.type]
  if (conversion === undefined) return undefined
  const kept = conversion.kept.filter((name) => isUsable(name, attribute, isInComponent))
  const remarks = [
    ...(conversion.remark === undefined ? [] : [conversion.remark]),
    ...Object.entries(lost).flatMap(([name, remark]) => (isSet(attribute[name]) ? [remark] : [])),
    ...(attribute.unique === true && !kept.includes('unique')
      ? ['may have the same value in several entries here']
      : []),
  ]
  const isUid = attribute.type === 'uid' && !isInComponent
  const options = Object.fromEntries(kept.map((name) => [name, optionOf(name, attribute)]))
  return {
    attribute: {
      type: conversion.type,
      ...(attribute.required === true ? { required: true } : {}),
      ...options,
      ...(isUid ? { unique: true } : {}),
    },
    remarks,
  }
}

const isSet = (value: unknown) => value !== undefined && value !== null && value !== false && value !== ''

function isUsable(name: string, attribute: StrapiAttribute, isInComponent: boolean): boolean {
  const value = attribute[name]
  if (!isSet(value) && !(name === 'default' && typeof value === 'boolean')) return false
  if (name === 'unique') return !isInComponent
  if (name !== 'default') return true
  // Some defaults are functions in Strapi, and a fixed date is useless as the default of later entries.
  if (attribute.type === 'enumeration') return enumOf(attribute).includes(String(value))
  if (attribute.type === 'date' || attribute.type === 'datetime') return false
  return attribute.type === 'json' || typeof value !== 'object'
}

function optionOf(name: string, attribute: StrapiAttribute): unknown {
  if (name === 'enum') return enumOf(attribute)
  const value = attribute[name]
  const isCount = ['min', 'max', 'minLength', 'maxLength'].includes(name)
  return isCount && typeof value === 'string' && attribute.type !== 'biginteger' ? Number(value) : value
}

function enumOf({ enum: values }: StrapiAttribute): string[] {
  return Array.isArray(values)
    ? [...new Set(values.filter((value) => typeof value === 'string' && value !== ''))]
    : []
}
