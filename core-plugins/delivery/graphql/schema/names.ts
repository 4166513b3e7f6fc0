import {
  type Attribute,
  type ContentType,
  type GraphqlScalar,
  type GraphqlValue,
  graphqlScalarNames,
  holdsComponents,
  isReference,
  type Schemas,
} from '../../../foundation/schemas/schemas.ts'

/** The names of a content type in the GraphQL schema. */
export interface TypeNames {
  readonly object: string
  /** The inputs for a new entry and for an update. */
  readonly input: string
  readonly updateInput: string
  readonly filters: string
  readonly relationFilters: string
  readonly page: string
  readonly answer: string
  /** `articles` and `article` */
  readonly listField: string
  readonly findField: string
  /** `articleChanged`, and the type of its events. */
  readonly changedField: string
  readonly change: string
  /** The part after the verb in `createArticle`. */
  readonly verbObject: string
}

export interface GraphqlNames {
  ofType(type: ContentType): TypeNames
  ofComponent(uid: string): {
    readonly object: string
    readonly input: string
    readonly filters: string
    readonly fieldFilters: string
  }
  /** The enum of the kinds of changes. */
  readonly changeKind: string
  /** The enum or union of one attribute, and the types of its filters and input. */
  ofAttribute(attribute: Attribute): {
    readonly output: string
    readonly input: string
    readonly filter: string
  }
  /** A scalar that a field type defines; field types do not share scalars. */
  ofOwnScalar(attribute: Attribute, scalar: GraphqlScalar): string
}

const scalarNames = [...graphqlScalarNames, 'ID', 'Float']

const ownNames = ['Query', 'Mutation', 'Subscription', 'Pagination', 'AnyEntry', 'JSONPathFilterInput']

function graphqlValueOf(attribute: Attribute): GraphqlValue | undefined {
  if (isReference(attribute) || holdsComponents(attribute)) return undefined
  return attribute.definition.graphql(attribute)
}

/** Whether an attribute has its own type in the schema: an enum, or the union of a zone. */
function hasOwnType(attribute: Attribute): boolean {
  const value = graphqlValueOf(attribute)
  return attribute.type === 'dynamicZone' || (value !== undefined && 'values' in value)
}

const typeSuffixes = ['', 'Input', 'UpdateInput', 'FiltersInput', 'RelationFiltersInput', 'Page', 'Answer']
const componentSuffixes = ['', 'Input', 'FiltersInput', 'FieldFiltersInput']
const scalarSuffixes = ['', 'FilterInput']
const attributeSuffixes = ['', 'Input', 'FilterInput']

/** Gives everything a unique name, which does not depend on the caller, even if two names would become equal in GraphQL. */
export function nameSchema(schemas: Schemas): GraphqlNames {
  const taken = new Set([...ownNames, ...scalarNames, ...scalarNames.map((name) => `${name}FilterInput`)])
  const fields = new Set<string>()
  const types = new Map(
    [...schemas.allTypes.values()].map((type) => [type.name, nameType(type, taken, fields)]),
  )
  const components = new Map(
    [...schemas.components.keys()].map((uid) => [
      uid,
      allocate(`Component${pascal(uid)}`, componentSuffixes, taken),
    ]),
  )
  const attributes = new Map<Attribute, string>()
  const nameAttributes = (base: string, owned: Iterable<Attribute>) => {
    for (const attribute of owned) {
      if (!hasOwnType(attribute)) continue
      attributes.set(attribute, allocate(`${base}${pascal(attribute.name)}`, attributeSuffixes, taken))
    }
  }
  for (const [name, { object }] of types) {
    nameAttributes(object, schemas.allTypes.get(name)?.attributes.values() ?? [])
  }
  for (const [uid, object] of components) {
    nameAttributes(object, schemas.components.get(uid)?.attributes.values() ?? [])
  }
  const scalars = nameOwnScalars(schemas, taken)
  const changes = nameChanges(types, taken)
  return {
    changeKind: allocate('ChangeKind', [''], taken),
    ofType: ({ name }) => ({ ...known(types.get(name), name), change: known(changes.get(name), name) }),
    ofComponent(uid) {
      const object = known(components.get(uid), uid)
      return {
        object,
        input: `${object}Input`,
        filters: `${object}FiltersInput`,
        fieldFilters: `${object}FieldFiltersInput`,
      }
    },
    ofAttribute(attribute) {
      const output = known(attributes.get(attribute), attribute.name)
      return { output, input: `${output}Input`, filter: `${output}FilterInput` }
    },
    ofOwnScalar: ({ type }, { name }) => known(scalars.get(`${type} ${name}`), name),
  }
}

/** Names the scalars of field types, by type and name. Called after other names, so that it changes no name of the project. */
function nameOwnScalars({ allTypes, components }: Schemas, taken: Set<string>): Map<string, string> {
  const named = new Map<string, string>()
  for (const { attributes } of [...allTypes.values(), ...components.values()]) {
    for (const attribute of attributes.values()) {
      const value = graphqlValueOf(attribute)
      if (value === undefined || !('ownScalar' in value)) continue
      const { name } = value.ownScalar
      const key = `${attribute.type} ${name}`
      if (!named.has(key)) named.set(key, allocate(name, scalarSuffixes, taken))
    }
  }
  return named
}

/** Called after other names, too. */
function nameChanges(
  types: ReadonlyMap<string, Omit<TypeNames, 'change'>>,
  taken: Set<string>,
): Map<string, string> {
  return new Map([...types].map(([name, { object }]) => [name, allocate(`${object}Change`, [''], taken)]))
}

function nameType(type: ContentType, taken: Set<string>, fields: Set<string>): Omit<TypeNames, 'change'> {
  const object = allocate(pascal(type.name), typeSuffixes, taken)
  const listField = allocate(camel(type.pluralName), [''], fields)
  const findField = allocate(camel(type.name), [''], fields)
  return {
    object,
    input: `${object}Input`,
    updateInput: `${object}UpdateInput`,
    filters: `${object}FiltersInput`,
    relationFilters: `${object}RelationFiltersInput`,
    page: `${object}Page`,
    answer: `${object}Answer`,
    listField,
    findField,
    changedField: `${findField}Changed`,
    verbObject: object,
  }
}

function allocate(name: string, suffixes: readonly string[], taken: Set<string>): string {
  let base = name
  while (suffixes.some((suffix) => taken.has(base + suffix))) base = `${base}_`
  for (const suffix of suffixes) taken.add(base + suffix)
  return base
}

/** `shared.rich-text` becomes `SharedRichText`. */
function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

function camel(name: string): string {
  const words = pascal(name)
  return words.slice(0, 1).toLowerCase() + words.slice(1)
}

function known<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`${name} has no name in the GraphQL schema`)
  return value
}
