import { isObject } from '../../../../kernel/index.ts'
import { MigrationError } from '../migration-error.ts'
import { AttributeNames, componentName, typeName } from '../names.ts'
import type { Finding } from '../source.ts'
import type { ConvertedField, ConvertedFields, ConvertedSchemas, ConvertedType } from './converted.ts'
import type { StrapiAttribute, StrapiSchema } from './export-rows.ts'
import { convertValue } from './field-conversion.ts'
import { convertRelation, type Targets, userUid } from './relation-conversion.ts'

export interface ConversionOptions {
  /** Singular names of types in Strapi; undefined means all. */
  readonly only: readonly string[] | undefined
  readonly locales: readonly string[]
  readonly defaultLocale: string
  /** Types whose entries are not content of the project, such as those of Strapi's own plugins. */
  readonly others: readonly string[]
}

/** What Strapi adds to every type by itself. */
export const addedByStrapi = [
  'createdAt',
  'updatedAt',
  'publishedAt',
  'createdBy',
  'updatedBy',
  'locale',
  'localizations',
  'documentId',
]

/** Makes the schema files for the content of an export. @throws MigrationError */
export function convertSchemas(
  schemas: readonly StrapiSchema[],
  options: ConversionOptions,
): ConvertedSchemas {
  return new SchemaConversion(schemas, options).convert()
}

class SchemaConversion {
  readonly #options: ConversionOptions
  readonly #schemas: ReadonlyMap<string, StrapiSchema>
  readonly #types: ReadonlyMap<string, StrapiSchema>
  readonly #components = new Map<string, StrapiSchema>()
  /** The names of attributes here, by the uid of their owner and their name in Strapi. */
  readonly #names = new Map<string, ReadonlyMap<string, string>>()
  readonly #findings: Finding[] = []
  readonly #files = new Map<string, object>()

  constructor(schemas: readonly StrapiSchema[], options: ConversionOptions) {
    this.#options = options
    this.#schemas = new Map(schemas.map((schema) => [schema.uid, schema]))
    this.#types = new Map(schemas.filter(isOfProject).map((schema) => [schema.uid, schema]))
    this.#types = this.#selected()
    for (const schema of this.#types.values()) this.#addComponentsOf(schema)
    for (const schema of [...this.#types.values(), ...this.#components.values()]) this.#nameAttributes(schema)
  }

  convert(): ConvertedSchemas {
    const types = [...this.#types.values()].map((schema) => [schema.uid, this.#convertType(schema)] as const)
    const components = [...this.#components.values()].map((schema) => {
      const fields = this.#convertComponent(schema)
      return [schema.uid, { name: componentName(schema.uid), fields }] as const
    })
    this.#tellOthers()
    const findings = this.#findings
    return { files: this.#files, types: new Map(types), components: new Map(components), findings }
  }

  /** @throws MigrationError */
  #selected(): ReadonlyMap<string, StrapiSchema> {
    const { only } = this.#options
    if (only === undefined) return this.#types
    const names = [...this.#types.values()].map(singularOf)
    const unknown = only.filter((name) => !names.includes(name))
    if (unknown.length === 0)
      return new Map([...this.#types].filter(([, schema]) => only.includes(singularOf(schema))))
    throw new MigrationError(`the export has no type ${unknown.join(', ')}; it has ${names.join(', ')}`)
  }

  #addComponentsOf(schema: StrapiSchema): void {
    for (const uid of Object.values(schema.attributes).flatMap(componentsIn)) {
      const component = this.#schemas.get(uid)
      if (component === undefined || this.#components.has(uid)) continue
      this.#components.set(uid, component)
      this.#addComponentsOf(component)
    }
  }

  #nameAttributes(schema: StrapiSchema): void {
    const isInComponent = schema.modelType === 'component'
    const names = new AttributeNames({ isInComponent })
    const own = ownAttributes(schema).map(([name, { type }]) => {
      return [name, names.take(name, type === 'relation' || type === 'media')] as const
    })
    for (const [name, ours] of own) {
      if (name !== ours)
        this.#find(schema, name, `is called ${ours} here, since the name is taken or not allowed`)
    }
    this.#names.set(schema.uid, new Map(own))
  }

  #find(schema: StrapiSchema, attribute: string | undefined, message: string): void {
    const owner = schema.modelType === 'component' ? schema.uid : singularOf(schema)
    this.#findings.push({ subject: attribute === undefined ? owner : `${owner}.${attribute}`, message })
  }

  #convertType(schema: StrapiSchema): ConvertedType {
    const { info, kind } = schema
    const name = typeName(singularOf(schema))
    const [hasDrafts, hasLocales] = [
      schema.options?.draftAndPublish === true,
      schema.pluginOptions?.i18n?.localized === true,
    ]
    if (name !== singularOf(schema))
      this.#find(schema, undefined, `is called ${name} here, since the service has a type of this name`)
    const { attributes, fields } = this.#convertAttributes(schema, hasLocales)
    const { locales, defaultLocale } = this.#options
    const drafts = { draftAndPublish: true, draftOverlay: true, incompleteDrafts: true }
    const i18n = { enabled: true, locales, defaultLocale }
    const options = { ...(hasDrafts ? drafts : {}), ...(hasLocales ? { i18n } : {}) }
    this.#files.set(`${name}.json`, {
      $schema: './.schema/content-type.json',
      kind: kind === 'singleType' ? 'singleType' : 'collectionType',
      info: {
        singularName: name,
        pluralName: typeName(info.pluralName ?? `${name}-list`),
        displayName: displayNameOf(schema),
        ...(info.description ? { description: info.description } : {}),
      },
      ...(Object.keys(options).length === 0 ? {} : { options }),
      attributes,
    })
    return { uid: schema.uid, name, hasDrafts, hasLocales, fields }
  }

  #convertComponent(schema: StrapiSchema): ConvertedFields {
    const uid = componentName(schema.uid)
    const { attributes, fields } = this.#convertAttributes(schema, false)
    const { icon, description } = schema.info
    this.#files.set(`components/${uid}.json`, {
      $schema: '../.schema/component.json',
      uid,
      category: uid.split('.')[0],
      info: {
        displayName: displayNameOf(schema),
        ...(description ? { description } : {}),
        ...(icon ? { icon } : {}),
      },
      attributes,
    })
    return fields
  }

  #convertAttributes(schema: StrapiSchema, hasLocales: boolean) {
    const attributes: Record<string, unknown> = {}
    const fields = new Map<string, ConvertedField>()
    for (const [name, attribute] of ownAttributes(schema)) {
      const converted = this.#convertAttribute(schema, name, attribute)
      if (typeof converted === 'string') {
        this.#find(schema, name, `${converted}: it is left out`)
        continue
      }
      const isLocalized = hasLocales && isLocalizedIn(attribute)
      const { field, file } = converted
      attributes[this.#nameOf(schema.uid, name)] =
        isLocalized && field !== undefined ? { ...file, ...localized } : file
      if (field !== undefined) fields.set(name, { ...field, isShared: hasLocales && !isLocalized })
    }
    return { attributes, fields }
  }

  #nameOf(uid: string, attribute: string): string {
    return this.#names.get(uid)?.get(attribute) ?? attribute
  }

  /** Returns a text with the reason if the attribute cannot be converted. */
  #convertAttribute(schema: StrapiSchema, name: string, given: StrapiAttribute) {
    const attribute = given.type === 'customField' ? { ...given, type: 'string' } : given
    const ours = this.#nameOf(schema.uid, name)
    if (given.customField !== undefined)
      this.#find(schema, name, `is a custom field of a plugin, kept as ${attribute.type}`)
    if (attribute.type === 'password') return 'is a password, which Strapi only keeps as a hash'
    if (attribute.type === 'relation') return this.#convertRelation(schema, name, attribute)
    if (attribute.type === 'media') return convertMedia(ours, attribute)
    if (attribute.type === 'component' || attribute.type === 'dynamiczone')
      return this.#convertComponents(schema, name, attribute)
    const converted = convertValue(attribute, { isInComponent: schema.modelType === 'component' })
    if (converted === undefined) return `is of type ${attribute.type}, which there is none of here`
    for (const remark of converted.remarks) this.#find(schema, name, remark)
    const field = { kind: 'value', name: ours, type: attribute.type, isShared: false } as const
    return { file: converted.attribute, field }
  }

  #convertRelation(schema: StrapiSchema, name: string, attribute: StrapiAttribute) {
    const targets: Targets = {
      nameOf: (uid) => {
        const target = this.#types.get(uid)
        return target === undefined ? undefined : typeName(singularOf(target))
      },
      schemaOf: (uid) => this.#schemas.get(uid),
      attributeName: (uid, other) => this.#nameOf(uid, other),
    }
    const relation = convertRelation(schema, name, attribute, targets)
    if (typeof relation === 'string') return relation
    if (attribute.required === true) this.#find(schema, name, 'is required there, which is not checked here')
    const { isMany, isInverse } = relation
    const field = {
      kind: 'reference',
      name: this.#nameOf(schema.uid, name),
      isMany,
      isShared: false,
    } as const
    return { file: relation.attribute, field: isInverse ? undefined : field }
  }

  #convertComponents(schema: StrapiSchema, name: string, attribute: StrapiAttribute) {
    const known = componentsIn(attribute).filter((uid) => this.#components.has(uid))
    if (known.length === 0) return 'holds components that the export does not have'
    const isZone = attribute.type === 'dynamiczone'
    const isMany = isZone || attribute.repeatable === true
    const { required, min, max } = attribute
    const bounds = { ...(isCount(min) ? { min } : {}), ...(isCount(max) ? { max } : {}) }
    if (isZone && Object.keys(bounds).length > 0)
      this.#find(schema, name, 'has a least or greatest number of items, which is not checked here')
    const single = {
      component: componentName(known[0] ?? ''),
      ...(isMany ? { repeatable: true, ...bounds } : {}),
    }
    const options = isZone ? { components: known.map(componentName) } : single
    const file = {
      type: isZone ? 'dynamicZone' : 'component',
      ...options,
      ...(required === true ? { required } : {}),
    }
    const component = isZone ? undefined : known[0]
    const field = {
      kind: 'components',
      name: this.#nameOf(schema.uid, name),
      isMany,
      isZone,
      component,
      isShared: false,
    } as const
    return { file, field }
  }

  #tellOthers(): void {
    for (const uid of this.#options.others) {
      if (this.#types.has(uid) || uid === userUid || ignored.some((prefix) => uid.startsWith(prefix)))
        continue
      const reason = uid.startsWith('api::') ? 'is not among the chosen types' : 'is of a plugin'
      this.#findings.push({ subject: uid, message: `${reason}: its entries are not brought in` })
    }
  }
}

/** Types that are migrated in another way (users, files, folders), or whose entries are not worth migrating. */
const ignored = [
  'plugin::upload.',
  'plugin::i18n.locale',
  'plugin::users-permissions.permission',
  'plugin::users-permissions.role',
]

const localized = { pluginOptions: { i18n: { localized: true } } }

const isOfProject = ({ uid, modelType }: StrapiSchema) =>
  modelType === 'contentType' && uid.startsWith('api::')

export const singularOf = ({ uid, info }: StrapiSchema) => info.singularName ?? uid.split('.').at(-1) ?? uid

const displayNameOf = (schema: StrapiSchema) =>
  schema.info.displayName || schema.info.name || singularOf(schema)

function ownAttributes({ attributes }: StrapiSchema): [string, StrapiAttribute][] {
  return Object.entries(attributes).filter(([name]) => !addedByStrapi.includes(name))
}

function componentsIn({ type, component, components }: StrapiAttribute): string[] {
  if (type === 'component' && typeof component === 'string') return [component]
  if (type !== 'dynamiczone' || !Array.isArray(components)) return []
  return components.filter((uid) => typeof uid === 'string')
}

/** Strapi translates relations and uids whatever their options say. */
function isLocalizedIn({ type, pluginOptions }: StrapiAttribute): boolean {
  if (type === 'relation' || type === 'uid') return true
  return isObject(pluginOptions) && isObject(pluginOptions.i18n) && pluginOptions.i18n.localized === true
}

const mediaKinds = ['images', 'videos', 'audios', 'files']

function convertMedia(name: string, { multiple, allowedTypes, required }: StrapiAttribute) {
  const isMany = multiple === true
  const allowed = Array.isArray(allowedTypes) ? mediaKinds.filter((kind) => allowedTypes.includes(kind)) : []
  const isLimited = allowed.length > 0 && allowed.length < mediaKinds.length
  const options = { ...(isMany ? { multiple: true } : {}), ...(isLimited ? { allowedTypes: allowed } : {}) }
  const file = { type: 'media', ...options, ...(required === true ? { required } : {}) }
  return { file, field: { kind: 'reference', name, isMany, isShared: false } as const }
}

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0
