import type { Attribute } from './attribute.ts'
import { columnName } from './checks/names.ts'
import type { AttributePlace, FieldTypes } from './field-type.ts'
import { compact } from './field-types/options.ts'
import { type AttributeFile, fieldTypeOf, isReference } from './file-attribute.ts'

/** The parts of an attribute's context that affect its completion. */
export interface Completion extends Omit<AttributePlace, 'required'> {
  readonly name: string
  readonly isPrivate: boolean
  /** The plugin that adds it to a type or component of the project or of another plugin. */
  readonly plugin: string | undefined
  readonly fieldTypes: FieldTypes
}

/** The checked attribute of a file, with every default filled in. */
export function completeAttribute(
  file: AttributeFile,
  { name, isPrivate, plugin, inverseOnDelete, fieldTypes }: Completion,
): Attribute {
  const { condition, description, pluginOptions = {}, required = false, renamedFrom } = file
  const definition = fieldTypeOf(file, fieldTypes)
  const base = compact({
    name,
    column: columnName(name, isReference(file)),
    description,
    required,
    localized: pluginOptions.i18n?.localized ?? false,
    pluginOptions,
    condition: condition && { ...condition, value: condition.value ?? true },
    renamedFrom,
    private: isPrivate,
    plugin,
    declared: file,
    type: file.type,
    definition,
  })
  // The definition belongs to the attribute's type, so it returns the members of such an attribute.
  return { ...base, ...definition.complete(file, { required, inverseOnDelete }) } as Attribute
}
