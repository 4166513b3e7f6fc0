import { nearest } from '../../../../kernel/index.ts'
import type { FieldTypes } from '../field-type.ts'
import { maxIndexedCharacters } from '../field-types/texts.ts'
import { type AttributeFile, fieldTypeOf, isReference } from '../file-attribute.ts'
import type { FileProblem } from '../files/file-problem.ts'
import { findAttribute, type SchemaSource } from '../files/schema-source.ts'
import { snakeCase } from './names.ts'

type IndexFile = NonNullable<SchemaSource['content']['indexes']>[number]

/** Checks that the indexes of a type name fields that can be indexed. */
export function checkIndexes(type: SchemaSource, fieldTypes: FieldTypes): FileProblem[] {
  return (type.content.indexes ?? []).flatMap((index, position) => {
    const problems = index.fields.flatMap((field, place) => {
      const reason = reasonAgainst({ type, index, fieldTypes }, field)
      return reason === undefined ? [] : [{ at: `indexes.${position}.fields.${place}`, ...reason }]
    })
    return problems.length > 0 ? problems : tooLong({ type, index, fieldTypes }, `indexes.${position}.fields`)
  })
}

/** One index to check. */
interface IndexCheck {
  readonly type: SchemaSource
  readonly index: IndexFile
  readonly fieldTypes: FieldTypes
}

type Reason = Omit<FileProblem, 'at'>

function reasonAgainst({ type, index, fieldTypes }: IndexCheck, field: string): Reason | undefined {
  if (type.lost.has(field)) return undefined
  const file = findAttribute(type, field)
  if (file === undefined) return systemField(type, index, field)
  if (index.type === 'fulltext') {
    return isText(file, fieldTypes)
      ? undefined
      : { message: `${field} is no text`, remedy: 'index texts only in full' }
  }
  if ((charactersOf(file, fieldTypes) ?? Number.POSITIVE_INFINITY) <= maxIndexedCharacters) return undefined
  return {
    message: `${field} of type ${file.type} cannot be indexed`,
    remedy: isText(file, fieldTypes) ? 'use the type fulltext' : 'leave it out',
  }
}

/** Why one of an entry's system fields cannot be indexed; undefined if it can. */
function systemField({ content }: SchemaSource, index: IndexFile, field: string): Reason | undefined {
  const { draftAndPublish = false, softDelete = false, i18n } = content.options ?? {}
  const present: Readonly<Record<string, boolean>> = {
    created_at: true,
    updated_at: true,
    published_at: draftAndPublish,
    deleted_at: softDelete,
    locale: i18n?.enabled === true,
  }
  const known = [...Object.keys(content.attributes), ...Object.keys(present).filter((name) => present[name])]
  if (index.type !== 'fulltext' && present[snakeCase(field)] === true) return undefined
  const meant = nearest(field, known)
  return {
    message: `${field} is no field of this type`,
    remedy: meant === undefined ? `name one of ${known.join(', ')}` : `did you mean ${meant}?`,
  }
}

function isText(file: AttributeFile, fieldTypes: FieldTypes): boolean {
  const definition = fieldTypeOf(file, fieldTypes)
  return definition.shape === 'value' && definition.index.isText
}

/** The size of a column that is not text, in characters. */
const fixedCharacters = 8

/** The size of a column in an index, in characters; undefined if it cannot be indexed. */
function charactersOf(file: AttributeFile, fieldTypes: FieldTypes): number | undefined {
  const definition = fieldTypeOf(file, fieldTypes)
  if (definition.shape === 'value') return definition.index.characters(file)
  return isReference(file) ? fixedCharacters : undefined
}

function tooLong({ type, index, fieldTypes }: IndexCheck, at: string): FileProblem[] {
  if (index.type === 'fulltext') return []
  const characters = index.fields.reduce((sum, field) => {
    const file = findAttribute(type, field)
    return sum + ((file && charactersOf(file, fieldTypes)) ?? fixedCharacters)
  }, 0)
  if (characters <= maxIndexedCharacters) return []
  return [
    {
      at,
      message: `have up to ${characters} characters together, and an index holds ${maxIndexedCharacters}`,
      remedy: 'set maxLength of the texts, or index fewer fields',
    },
  ]
}
