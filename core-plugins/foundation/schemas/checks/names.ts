/** Turns `metaTitle`, `meta-title` and `meta_title` into `meta_title`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/-/g, '_')
    .toLowerCase()
}

/** The table of a declared type's entries. */
export function contentTableName(type: string): string {
  return `content_${snakeCase(type)}`
}

/** The table of the links that an attribute owns. */
export function linkTableName(type: string, attribute: string): string {
  return `link_${snakeCase(type)}_${snakeCase(attribute)}`
}

/** The column of an attribute. */
export function columnName(attribute: string, isReference: boolean): string {
  return isReference ? `${snakeCase(attribute)}_id` : snakeCase(attribute)
}

/** The system fields of entries, and their other spellings in queries. */
const entryFields = [
  'id',
  'createdAt',
  'created_at',
  'updatedAt',
  'updated_at',
  'publishedAt',
  'published_at',
  'deletedAt',
  'deleted_at',
  'locale',
  'uuid',
]

/** True for names that an attribute of a type may not have, in any spelling. */
export function isReservedInTypes(name: string): boolean {
  return isPrototypeName(name) || entryFields.some((field) => snakeCase(field) === snakeCase(name))
}

/** The same for attributes of components, whose items only have an `id`. */
export function isReservedInComponents(name: string): boolean {
  return isPrototypeName(name) || name.toLowerCase() === 'id'
}

/** Names that every JavaScript object inherits. */
function isPrototypeName(name: string): boolean {
  return name in Object.prototype || name === 'prototype'
}
