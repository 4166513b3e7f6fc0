import { builtInFieldTypes } from '../../core-plugins/foundation/schemas/field-types/built-in.ts'
import type { ContentType, Schemas } from '../../core-plugins/foundation/schemas/schemas.ts'
import { componentType, contentType } from './payload-model.ts'

/** Articles with authors, categories, components and a zone. */
export function blogSchemas(): Schemas {
  const types: ContentType[] = [
    contentType(
      'article',
      {
        title: { type: 'string', maxLength: 255 },
        slug: { type: 'string', unique: true, maxLength: 255 },
        rank: { type: 'integer' },
        mood: { type: 'enum', values: ['happy', 'sad'] },
        data: { type: 'json' },
        author: { type: 'relation', relation: 'manyToOne', target: 'author', side: 'owning', many: false },
        categories: {
          type: 'relation',
          relation: 'manyToMany',
          target: 'category',
          side: 'owning',
          many: true,
        },
        blocks: { type: 'dynamicZone', components: ['shared.image', 'shared.teaser'] },
      },
      { draftAndPublish: true },
    ),
    contentType('author', {
      name: { type: 'string', maxLength: 255 },
      articles: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'article',
        side: 'inverse',
        many: true,
        mappedBy: 'author',
      },
    }),
    contentType('category', {
      name: { type: 'string', maxLength: 255 },
      slug: { type: 'string', maxLength: 255 },
    }),
    { ...contentType('media', { filename: { type: 'string', maxLength: 255 } }), system: true },
  ]
  const byName = new Map(types.map((type) => [type.name, type]))
  const components = [
    componentType('shared.image', { image: { type: 'media', multiple: false } }),
    componentType('shared.teaser', {
      related: { type: 'relation', relation: 'manyToOne', target: 'article', side: 'owning', many: false },
    }),
  ]
  return {
    types: new Map(types.filter(({ system }) => !system).map((type) => [type.name, type])),
    allTypes: byName,
    components: new Map(components.map((component) => [component.uid, component])),
    fieldTypes: builtInFieldTypes,
    linkTable(type, attribute) {
      const target = byName.get(attribute.type === 'media' ? 'media' : attribute.target)
      if (target === undefined) throw new Error(`no type for ${attribute.name}`)
      return { name: `link_${type.name}_${attribute.name}`, target }
    },
  }
}
