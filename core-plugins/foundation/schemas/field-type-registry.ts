import { type ContributionOf, PluginFault } from '../../../kernel/index.ts'
import { type Attribute, holdsComponents, isReference } from './attribute.ts'
import type { FieldType, FieldTypes, ValueFieldType } from './field-type.ts'
import { builtInFieldTypes } from './field-types/built-in.ts'
import type { Schemas } from './schemas-service.ts'

/**
 * All field types by name: the built-in ones, then those of plugins.
 * @throws PluginFault for a plugin whose field type has a name that is already taken
 */
export function registerFieldTypes(contributed: readonly ContributionOf<ValueFieldType>[]): FieldTypes {
  const types = new Map<string, FieldType>(builtInFieldTypes)
  for (const { plugin, value } of contributed) {
    if (types.has(value.name)) {
      throw new PluginFault(plugin, new Error(`the field type ${value.name} already exists`))
    }
    types.set(value.name, value)
  }
  return types
}

/**
 * Field types contributed after the schema files were read would be ignored.
 * @throws PluginFault for a plugin that contributes a type later than in `register`
 */
export function assertRegistered(
  contributed: readonly ContributionOf<ValueFieldType>[],
  registered: FieldTypes,
): void {
  for (const { plugin, value } of contributed) {
    if (registered.get(value.name) === value) continue
    throw new PluginFault(plugin, new Error(`the field type ${value.name} must be contributed in register`))
  }
}

/**
 * Calls the members of plugins' field types that requests would otherwise call first, so that a wrong result is found
 * while the service starts.
 * @throws PluginFault of the plugin
 */
export function assertAnswers({ allTypes, components }: Pick<Schemas, 'allTypes' | 'components'>): void {
  for (const { attributes } of [...allTypes.values(), ...components.values()]) {
    for (const attribute of attributes.values()) askEverything(attribute)
  }
}

function askEverything(attribute: Attribute): void {
  if (isReference(attribute) || holdsComponents(attribute)) return
  const { definition } = attribute
  if (builtInFieldTypes.has(definition.name)) return
  definition.compileCheck(attribute)
  definition.compileDefault?.(attribute)
  definition.graphql(attribute)
  definition.jsonSchema(attribute)
  definition.typescript(attribute)
}
