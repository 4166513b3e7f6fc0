import type { UnguardedContent } from '../../../entries/content/content.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { EntryReference, type GraphqlFeatureFieldsByName, type GraphqlTypeNames } from '../features.ts'
import { isEnumValue } from '../schema/enum-value.ts'

/** Relations from either side. */
const relationsOf = ({ attributes }: ContentType) =>
  [...attributes.values()]
    .filter(({ type, name, private: isPrivate }) => type === 'relation' && !isPrivate && isEnumValue(name))
    .map(({ name }) => name)

export const relationEnumName = ({ object }: GraphqlTypeNames): string => `${object}Relation`

/** The names of a type's relations; none where there are none. */
export function relationEnum(type: ContentType, names: GraphqlTypeNames): string {
  const relations = relationsOf(type)
  return relations.length === 0 ? '' : `enum ${relationEnumName(names)} { ${relations.join(' ')} }`
}

/** Changes of one relation, without knowing what else it leads to. */
export function linkFields(
  type: ContentType,
  names: GraphqlTypeNames,
  content: UnguardedContent,
): GraphqlFeatureFieldsByName {
  if (relationsOf(type).length === 0) return {}
  const { object, answer } = names
  const field = (verb: 'link' | 'unlink', description: string): GraphqlFeatureFieldsByName => ({
    [`${verb}${object}`]: {
      type: answer,
      description,
      arguments: `id: ID!, field: ${relationEnumName(names)}!, to: ID!`,
      access: 'permission',
      scope: 'content:write',
      policies: ['content.update'],
      async resolve({ id, field, to }, { principal, ip }) {
        const request = { type: type.name, id: Number(id), principal, ip }
        const entry = await content[verb](request, String(field), Number(to))
        return { data: new EntryReference(type.name, entry.id, entry) }
      },
    },
  })
  return {
    ...field('link', 'Lets a relation lead to one more entry, or to another one'),
    ...field('unlink', 'Takes an entry out of a relation'),
  }
}
