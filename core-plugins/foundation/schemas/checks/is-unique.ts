import type { ContentType } from '../content-type.ts'

/** Whether an attribute is unique among the entries of a type (per locale, if localised). */
export function isUnique({ attributes, indexes }: ContentType, name: string): boolean {
  const attribute = attributes.get(name)
  if (attribute !== undefined && 'unique' in attribute && attribute.unique === true) return true
  return indexes.some(({ fields, type }) => {
    const others = fields.filter((field) => field !== 'locale')
    return type === 'unique' && others.length === 1 && others[0] === name
  })
}
