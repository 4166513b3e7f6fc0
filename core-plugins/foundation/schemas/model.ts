import { type Attribute, hasLinkTable, targetNameOf } from './attribute.ts'
import { contentTableName, linkTableName } from './checks/names.ts'
import { completeAttribute } from './complete-attribute.ts'
import type { ComponentType, ContentType, ContentTypeOptions } from './content-type.ts'
import { type Endings, noEndings } from './endings.ts'
import type { FieldTypes } from './field-type.ts'
import type { RelationAttribute } from './field-types/relation.ts'
import type { AttributeFile, AttributeFileOf } from './file-attribute.ts'
import type { ComponentDraft, Drafts, SchemaSource } from './files/schema-source.ts'
import type { LinkTable, Schemas } from './schemas-service.ts'

/** Builds the model from schema sources without problems. */
export function buildSchemas(drafts: Drafts, endings: Endings = noEndings): Schemas {
  const sorted = [...drafts.types.values()].sort((left, right) => compareText(left.name, right.name))
  const allTypes = new Map(sorted.map((draft) => [draft.name, completeType(draft, { drafts, endings })]))
  const links = linkTablesOf(allTypes)
  return {
    types: new Map([...allTypes].filter(([, type]) => !type.system)),
    allTypes,
    components: new Map(
      [...drafts.components.values()]
        .sort((left, right) => compareText(left.uid, right.uid))
        .map((draft) => [draft.uid, completeComponent(draft, drafts.fieldTypes)]),
    ),
    fieldTypes: drafts.fieldTypes,
    linkTable(type, attribute) {
      const link = links.get(attribute)
      if (link === undefined) throw new Error(`${type.name}.${attribute.name} has no link table`)
      return link
    },
  }
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}

interface Completion {
  readonly drafts: Drafts
  readonly endings: Endings
}

function completeType(draft: SchemaSource, { drafts, endings }: Completion): ContentType {
  const { kind, info, indexes = [], pluginOptions = {} } = draft.content
  return {
    name: draft.name,
    pluralName: info.pluralName,
    displayName: info.displayName,
    description: info.description ?? '',
    kind,
    system: draft.system !== undefined,
    ...pluginOf(draft),
    table: draft.system?.table ?? contentTableName(draft.name),
    options: completeOptions(draft.name, draft.content.options, endings),
    pluginOptions,
    indexes,
    attributes: attributesOf(draft.content.attributes, (name, file) =>
      completeAttribute(file, {
        name,
        isPrivate: draft.system?.privateAttributes.has(name) === true || file.private === true,
        plugin: draft.origins.get(name)?.plugin,
        inverseOnDelete: inverseOnDelete(draft.name, name, file, drafts),
        fieldTypes: drafts.fieldTypes,
      }),
    ),
  }
}

function pluginOf({ origin: { plugin } }: SchemaSource | ComponentDraft): { readonly plugin?: string } {
  return plugin === undefined ? {} : { plugin }
}

function completeOptions(
  name: string,
  options: SchemaSource['content']['options'] = {},
  endings: Endings,
): ContentTypeOptions {
  const { draftAndPublish = false, draftOverlay = false, timestamps = true } = options
  const { incompleteDrafts = false, softDelete = false, i18n = {}, workflow, cache, pagination } = options
  const endsDrafts = endings.drafts.has(name)
  const endsTrash = endings.trash.has(name)
  return {
    draftAndPublish: draftAndPublish || endsDrafts,
    endsDrafts,
    draftOverlay,
    incompleteDrafts,
    timestamps,
    softDelete: softDelete || endsTrash,
    endsTrash,
    i18n: { ...i18n, enabled: i18n.enabled ?? false },
    ...(workflow === undefined ? {} : { workflow }),
    ...(cache === undefined ? {} : { cache }),
    ...(pagination === undefined ? {} : { pagination }),
  }
}

function completeComponent(draft: ComponentDraft, fieldTypes: FieldTypes): ComponentType {
  const { uid, content, origins } = draft
  const { category, info } = content
  return {
    uid,
    ...pluginOf(draft),
    category,
    displayName: info.displayName,
    description: info.description ?? '',
    icon: info.icon ?? '',
    attributes: attributesOf(content.attributes, (name, file) =>
      completeAttribute(file, {
        ...{ name, isPrivate: false, inverseOnDelete: undefined, fieldTypes },
        plugin: origins.get(name)?.plugin,
      }),
    ),
  }
}

function attributesOf(
  files: Readonly<Record<string, AttributeFile>>,
  complete: (name: string, file: AttributeFile) => Attribute,
): Map<string, Attribute> {
  return new Map(Object.entries(files).map(([name, file]) => [name, complete(name, file)]))
}

/** The delete rule of the inverse side: a foreign key has only one, and either side may declare it. */
function inverseOnDelete(
  type: string,
  name: string,
  file: AttributeFile,
  drafts: Drafts,
): RelationAttribute['onDelete'] | undefined {
  if (file.type !== 'relation' || file.mappedBy !== undefined) return undefined
  return inversesOf(type, name, file, drafts)
    .map(([, inverse]) => inverse.onDelete)
    .find((onDelete) => onDelete !== undefined)
}

/** The attributes of the target type that are mapped by relations owned by `type`. */
function inversesOf(
  type: string,
  name: string,
  { target }: AttributeFileOf<'relation'>,
  drafts: Drafts,
): [string, AttributeFileOf<'relation'>][] {
  return Object.entries(drafts.types.get(target)?.content.attributes ?? {}).flatMap(([inverse, other]) =>
    other.type === 'relation' && other.target === type && other.mappedBy === name ? [[inverse, other]] : [],
  )
}

function linkTablesOf(types: ReadonlyMap<string, ContentType>): Map<Attribute, LinkTable> {
  const links = new Map<Attribute, LinkTable>()
  for (const type of types.values()) {
    for (const attribute of type.attributes.values()) {
      if (!hasLinkTable(attribute)) continue
      const target = types.get(targetNameOf(attribute))
      if (target === undefined) throw new Error(`${type.name}.${attribute.name} has an unknown target`)
      links.set(attribute, { name: linkTableName(type.name, attribute.name), target })
    }
  }
  return links
}
