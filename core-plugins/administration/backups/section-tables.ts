import type { TableSpec } from '../../foundation/database/database.ts'
import { type ContentType, hasLinkTable, type Schemas } from '../../foundation/schemas/schemas.ts'
import type { BackupTable } from './backups.ts'
import type { TableToDump } from './pack/table-to-dump.ts'

/** A table of this service that goes into backups. */
export interface SectionTable extends TableToDump {
  /** The name of its rows in reports: their type, the attribute that links them, or the table's name. */
  readonly label: string
  readonly spec: TableSpec
}

export interface SectionTablesOptions {
  readonly schemas: Schemas
  /** All tables of the service. */
  readonly declared: readonly TableSpec[]
  readonly contributed: readonly BackupTable[]
}

/** Holds the values that administrators have set. */
export const configTableName = 'svc_config'

const mediaTypes: readonly string[] = ['media', 'media-folder']

/** Roles are permissions, not content. */
const typesLeftOut: readonly string[] = ['role']

/** All tables that go into backups, each with its section. */
export function sectionTables({ schemas, declared, contributed }: SectionTablesOptions): SectionTable[] {
  const specs = new Map(declared.map((spec) => [spec.name, spec]))
  const toTable = (name: string, rest: Omit<SectionTable, 'name' | 'columns' | 'key' | 'spec'>) => {
    const spec = specs.get(name)
    return spec === undefined ? [] : [{ name, ...rest, spec, key: keyOf(spec), columns: columnsOf(spec) }]
  }
  const ofTypes = [...schemas.allTypes.values()]
    .filter(({ name }) => !typesLeftOut.includes(name))
    .flatMap((type) => {
      const section = mediaTypes.includes(type.name) ? 'media' : 'content'
      return [
        ...toTable(type.table, { section, type: type.name, label: type.name }),
        ...linksOf(type, schemas).flatMap(({ name, label }) => toTable(name, { section, type: null, label })),
      ]
    })
  return [
    ...toTable(configTableName, { section: 'config', type: null, label: 'settings' }),
    ...ofTypes,
    ...[...declaredSections(declared), ...contributed].flatMap(({ table, section }) =>
      toTable(table, { section, type: null, label: table }),
    ),
  ]
}

const declaredSections = (declared: readonly TableSpec[]) =>
  declared.flatMap(({ name, section }): BackupTable[] =>
    section === undefined ? [] : [{ table: name, section }],
  )

function linksOf(type: ContentType, schemas: Schemas) {
  return [...type.attributes.values()].filter(hasLinkTable).map((attribute) => ({
    name: schemas.linkTable(type, attribute).name,
    label: `${type.name}.${attribute.name}`,
  }))
}

function columnsOf({ columns }: TableSpec): TableToDump['columns'] {
  return columns.map(({ name, kind, length }) => ({
    name,
    kind,
    ...(length === undefined ? {} : { length }),
  }))
}

function keyOf({ name, columns, primaryKey }: TableSpec): readonly string[] {
  const id = columns.find(({ kind }) => kind === 'id')
  const key = id === undefined ? primaryKey : [id.name]
  if (key === undefined || key.length === 0) {
    throw new Error(`${name} cannot be backed up: give it an id or a primary key`)
  }
  return key
}

/** What a thread needs to know about a table. */
export function toDump({ name, section, type, columns, key }: SectionTable): TableToDump {
  return { name, section, type, columns, key }
}
