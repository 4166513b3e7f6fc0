import { builtInFieldTypes } from '../../core-plugins/foundation/schemas/field-types/built-in.ts'
import type {
  Attribute,
  ComponentType,
  ContentType,
  Schemas,
} from '../../core-plugins/foundation/schemas/schemas.ts'

/** An attribute as a schema file has it, with the name of the type or component it may need. */
export type AttributeDraft = { readonly type: Attribute['type'] } & Readonly<Record<string, unknown>>

export type AttributeDrafts = Readonly<Record<string, AttributeDraft>>

/** A type with everything that its drafts leave out filled in. */
export function contentType(name: string, drafts: AttributeDrafts, options: object = {}): ContentType {
  return {
    name,
    pluralName: `${name}s`,
    displayName: name,
    description: '',
    kind: 'collectionType',
    system: false,
    table: name,
    options: {
      draftAndPublish: false,
      timestamps: true,
      draftOverlay: false,
      incompleteDrafts: false,
      softDelete: false,
      endsDrafts: false,
      endsTrash: false,
      i18n: { enabled: false },
      ...options,
    },
    pluginOptions: {},
    indexes: [],
    attributes: attributesOf(drafts),
  }
}

export function componentType(uid: string, drafts: AttributeDrafts): ComponentType {
  const [category = ''] = uid.split('.')
  return { uid, category, displayName: uid, description: '', icon: '', attributes: attributesOf(drafts) }
}

/** Schemas that consist of components only: a payload's checks need no other types. */
export function schemasOf(...components: readonly ComponentType[]): Schemas {
  return {
    types: new Map(),
    allTypes: new Map(),
    components: new Map(components.map((component) => [component.uid, component])),
    fieldTypes: builtInFieldTypes,
    linkTable: () => {
      throw new Error('payload checks know no link tables')
    },
  }
}

function attributesOf(drafts: AttributeDrafts): ReadonlyMap<string, Attribute> {
  return new Map(Object.entries(drafts).map(([name, draft]) => [name, attributeOf(name, draft)]))
}

function attributeOf(name: string, draft: AttributeDraft): Attribute {
  return {
    name,
    column: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    required: false,
    localized: false,
    pluginOptions: {},
    private: false,
    definition: builtInFieldTypes.get(draft.type),
    ...typeOwn(draft),
    ...draft,
  } as unknown as Attribute
}

function typeOwn(draft: AttributeDraft): object {
  if (draft.type === 'string' || draft.type === 'email') return { maxLength: 255 }
  if (draft.type === 'component') return { repeatable: false }
  if (draft.type === 'media') return { multiple: false }
  if (draft.type !== 'relation') return {}
  return {
    side: draft.mappedBy === undefined ? 'owning' : 'inverse',
    many: draft.relation === 'oneToMany' || draft.relation === 'manyToMany',
    onDelete: 'SET NULL',
  }
}
