import { nearest } from '../config/config.ts'
import { defaultStringLength, isReference } from './attribute.ts'
import { maxIndexedCharacters } from './column.ts'
import { type FileProblem, findAttribute, type TypeDraft } from './draft.ts'
import type { AttributeFile } from './file-attribute-schema.ts'
import { snakeCase } from './names.ts'

type IndexFile = NonNullable<TypeDraft['content']['indexes']>[number]

/** Whether the indexes of a type name fields that can be indexed so. */
export function checkIndexes(type: TypeDraft): FileProblem[] {
  return (type.content.indexes ?? []).flatMap((index, position) => {
    const problems = index.fields.flatMap((field, place) => {
      const reason = reasonAgainst(type, index, field)
      return reason === undefined ? [] : [{ at: `indexes.${position}.fields.${place}`, ...reason }]
    })
    return problems.length > 0 ? problems : tooLong(type, index, `indexes.${position}.fields`)
  })
}

type Reason = Omit<FileProblem, 'at'>

function reasonAgainst(type: TypeDraft, index: IndexFile, field: string): Reason | undefined {
  if (type.lost.has(field)) return undefined
  const file = findAttribute(type, field)
  if (file === undefined) return systemField(type, index, field)
  if (index.type === 'fulltext') {
    return isText(file) ? undefined : { message: `${field} is no text`, remedy: 'index texts only in full' }
  }
  if (isIndexable(file)) return undefined
  return {
    message: `${field} of type ${file.type} cannot be indexed`,
    remedy: isText(file) ? 'use the type fulltext' : 'leave it out',
  }
}

/** What of an entry's own fields can be indexed besides its attributes. */
function systemField({ content }: TypeDraft, index: IndexFile, field: string): Reason | undefined {
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

function isText(file: AttributeFile): boolean {
  return ['string', 'email', 'text', 'richtext', 'enum'].includes(file.type)
}

const scalarTypes = ['string', 'email', 'enum', 'integer', 'bigint', 'decimal', 'boolean', 'date', 'datetime']

function isIndexable(file: AttributeFile): boolean {
  return isReference(file) || (scalarTypes.includes(file.type) && charactersOf(file) <= maxIndexedCharacters)
}

/** What a column takes of the room that one index has, in characters. */
function charactersOf(file: AttributeFile | undefined): number {
  if (file?.type === 'string' || file?.type === 'email') return file.maxLength ?? defaultStringLength
  return file?.type === 'enum' ? 255 : 8
}

function tooLong(type: TypeDraft, index: IndexFile, at: string): FileProblem[] {
  if (index.type === 'fulltext') return []
  const characters = index.fields.reduce((sum, field) => sum + charactersOf(findAttribute(type, field)), 0)
  if (characters <= maxIndexedCharacters) return []
  return [
    {
      at,
      message: `have up to ${characters} characters together, and an index holds ${maxIndexedCharacters}`,
      remedy: 'set maxLength of the texts, or index fewer fields',
    },
  ]
}
