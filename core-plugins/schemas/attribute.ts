import type { AttributeFile, AttributeFileOf } from './file-attribute-schema.ts'
import { columnName } from './names.ts'
import type { Attribute, RelationAttribute } from './schemas.ts'

/** A `string` or `email` that says nothing else has at most as many characters. */
export const defaultStringLength = 255

/** Where an attribute stands, as far as its meaning depends on it. */
export interface AttributePlace {
  readonly name: string
  readonly isPrivate: boolean
  /** What the inverse side of an owned relation says about deletion. */
  readonly inverseOnDelete: RelationAttribute['onDelete'] | undefined
}

/** The checked attribute of a file with every default filled in. */
export function completeAttribute(file: AttributeFile, place: AttributePlace): Attribute {
  const base = baseOf(file, place)
  switch (file.type) {
    case 'string':
    case 'email': {
      const { unique = false, maxLength = defaultStringLength } = file
      return compact({
        ...base,
        type: file.type,
        unique,
        ...lengthsOf(file),
        maxLength,
        default: file.default,
      })
    }
    case 'text':
      return compact({ ...base, type: file.type, unique: false, ...lengthsOf(file), default: file.default })
    case 'richtext':
      return compact({ ...base, type: file.type, unique: false, default: file.default })
    case 'integer': {
      const { type, unique = false, min, max } = file
      return compact({ ...base, type, unique, min, max, default: file.default })
    }
    case 'bigint':
    case 'decimal': {
      const { type, min, max } = file
      return compact({ ...base, type, unique: false, min, max, default: file.default })
    }
    case 'boolean':
      return compact({ ...base, type: file.type, default: file.default })
    case 'json':
      return compact({ ...base, type: file.type, default: file.default })
    case 'date':
      return compact({ ...base, type: file.type, default: file.default })
    case 'datetime':
      return compact({ ...base, type: file.type, default: instantOf(file.default) })
    case 'enum':
      return compact({ ...base, type: file.type, values: file.enum, default: file.default })
    case 'media': {
      const { type, multiple = false, allowedTypes } = file
      return compact({ ...base, type, multiple, allowedTypes })
    }
    case 'relation':
      return completeRelation(file, base, place)
    case 'component': {
      const { type, component, repeatable = false, min, max } = file
      return compact({ ...base, type, component, repeatable, min, max })
    }
    case 'dynamicZone':
      return { ...base, type: file.type, components: file.components }
  }
}

function baseOf(file: AttributeFile, { name, isPrivate }: AttributePlace) {
  const { condition, pluginOptions = {} } = file
  return compact({
    name,
    column: columnName(name, isReference(file)),
    required: file.required ?? false,
    localized: pluginOptions.i18n?.localized ?? false,
    pluginOptions,
    condition: condition && { ...condition, value: condition.value ?? true },
    renamedFrom: file.renamedFrom,
    private: isPrivate,
  })
}

function completeRelation(
  file: AttributeFileOf<'relation'>,
  base: ReturnType<typeof baseOf>,
  { inverseOnDelete }: AttributePlace,
): RelationAttribute {
  const { relation, target, mappedBy, inversedBy } = file
  const many = isToMany(file)
  // Losing its target would leave an entry without a value that it must have.
  const fallback = base.required && !many ? 'RESTRICT' : 'SET NULL'
  return compact({
    ...base,
    type: file.type,
    relation,
    target,
    side: mappedBy === undefined ? ('owning' as const) : ('inverse' as const),
    many,
    mappedBy,
    inversedBy,
    onDelete: file.onDelete ?? inverseOnDelete ?? fallback,
  })
}

/** True where the value is an array of ids. */
export function isToMany(file: AttributeFileOf<'relation'>): boolean {
  return file.relation === 'oneToMany' || file.relation === 'manyToMany'
}

/** True where the attribute's column holds an id. */
export function isReference(file: AttributeFile): boolean {
  if (file.type === 'media') return file.multiple !== true
  return file.type === 'relation' && file.mappedBy === undefined && !isToMany(file)
}

/** True where the attribute's values are ids in a table of their own. */
export function hasLinks(file: AttributeFile): boolean {
  if (file.type === 'media') return file.multiple === true
  return file.type === 'relation' && isToMany(file) && file.mappedBy === undefined
}

function lengthsOf({ minLength, maxLength }: AttributeFileOf<'string' | 'email' | 'text'>) {
  return { minLength, maxLength }
}

function instantOf(text: string | undefined): string | undefined {
  return text === undefined || text === 'now' ? text : new Date(text).toISOString()
}

type Compact<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}

/** Without the keys that hold nothing. */
function compact<T extends object>(value: T): Compact<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Compact<T>
}
