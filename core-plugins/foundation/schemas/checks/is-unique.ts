import type { ContentType } from '../content-type.ts'

/** Whether no two entries of a type (and locale) have the same value of an attribute. */
export function isUnique({ attributes, indexes }: ContentType, name: string): boolean {
  const attribute = attributes.get(name)
  if (attribute !== undefined && 'unique' in attribute && attribute.unique === true) return true
  return indexes.some(({ fields, type }) => {
    const others = fields.filter((field) => field !== 'locale')
    return type === 'unique' && others.length === 1 && others[0] === name
  })
}
