import type { ColumnKind, ColumnSpec } from '../../../foundation/database/database.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import type { Sections } from '../../../foundation/sections/sections.ts'
import type { ArchivedTable, Manifest } from '../archive/manifest.ts'
import type { SectionTable } from '../section-tables.ts'

/** Where a column of this service gets its values from. */
export interface FittedColumn {
  readonly name: string
  readonly kind: ColumnKind
  /** The maximum number of characters of a `string`. */
  readonly length: number
  readonly nullable: boolean
  /** Its position in the archived rows; undefined if they do not have it. */
  readonly from: number | undefined
  readonly default: unknown
}

/** A table of an archive and the table of this service that its rows go into. */
export interface TableFit {
  readonly archived: ArchivedTable
  readonly target: SectionTable
  readonly columns: readonly FittedColumn[]
}

/** How the rows of an archive fit the tables of this service. */
export interface Fit {
  readonly tables: readonly TableFit[]
  /** Tables of the same sections that the archive does not have: they are emptied. */
  readonly emptied: readonly SectionTable[]
  /** Data that would be lost, which keeps the archive from being restored. */
  readonly problems: readonly ErrorDetail[]
}

const remedy =
  'restore the sections schemas and components first, or switch on the plugin that declares it, and restart the service'

/**
 * Rows are restored completely or not at all: a column without a counterpart is a problem, unless it is
 * empty.
 */
export function fitTables(manifest: Manifest, running: readonly SectionTable[], sections: Sections): Fit {
  const targets = new Map(
    running.filter(({ section }) => sections[section]).map((table) => [table.name, table]),
  )
  const archived = manifest.tables.filter(({ section }) => sections[section])
  const problems: ErrorDetail[] = []
  const tables: TableFit[] = []
  for (const table of archived) {
    const target = targets.get(table.name)
    if (target !== undefined) {
      problems.push(...problemsOf(table, target))
      tables.push({ archived: table, target, columns: fittedColumns(table, target) })
    } else if (table.rows > 0) {
      const path = table.type ?? table.name
      const message = `there is no such table here, and the backup has ${table.rows} rows of it: ${remedy}`
      problems.push({ path, code: 'missingTable', message })
    }
  }
  const known = new Set(archived.map(({ name }) => name))
  return { tables, emptied: [...targets.values()].filter(({ name }) => !known.has(name)), problems }
}

function problemsOf(archived: ArchivedTable, target: SectionTable): ErrorDetail[] {
  if (archived.type !== target.type || archived.section !== target.section) {
    const said = `${archived.type ?? 'no type'} in ${archived.section}`
    const message = `holds ${target.type ?? 'no type'} in ${target.section} here, and ${said} in the backup`
    return [{ path: target.label, code: 'otherMeaning', message }]
  }
  const specs = new Map(target.spec.columns.map((column) => [column.name, column]))
  const filled = new Set(archived.filled)
  const lost = archived.columns.flatMap((column): ErrorDetail[] => {
    const spec = specs.get(column.name)
    const path = `${target.label}.${column.name}`
    if (spec === undefined) {
      if (!filled.has(column.name)) return []
      return [{ path, code: 'missingColumn', message: `is in the backup and not here: ${remedy}` }]
    }
    if (isConvertible(column.kind, spec.kind)) return []
    const message = `is a ${column.kind} in the backup and a ${spec.kind} here: ${remedy}`
    return [{ path, code: 'otherKind', message }]
  })
  const names = new Set(archived.columns.map(({ name }) => name))
  const missing = target.spec.columns
    .filter((column) => !names.has(column.name) && isRequired(column) && archived.rows > 0)
    .map(({ name }) => ({
      path: `${target.label}.${name}`,
      code: 'required',
      message: 'is required here, and the backup does not have it',
    }))
  const otherKey = archived.key.join() === target.key.join()
  return otherKey
    ? [...lost, ...missing]
    : [
        ...lost,
        ...missing,
        { path: target.label, code: 'otherKey', message: 'has another key in the backup' },
      ]
}

const isRequired = ({ nullable, default: value }: ColumnSpec) =>
  nullable !== true && (value === undefined || value === null)

const conversions: Readonly<Partial<Record<ColumnKind, readonly ColumnKind[]>>> = {
  string: ['text'],
  text: ['string'],
  integer: ['bigint', 'decimal', 'reference'],
  reference: ['integer', 'bigint'],
  bigint: ['decimal'],
}

function isConvertible(from: ColumnKind, to: ColumnKind): boolean {
  return from === to || conversions[from]?.includes(to) === true
}

const defaultLength = 255

function fittedColumns(archived: ArchivedTable, { spec }: SectionTable): FittedColumn[] {
  return spec.columns.map(
    ({ name, kind, length = defaultLength, nullable = false, default: value = null }) => {
      const from = archived.columns.findIndex((column) => column.name === name)
      return { name, kind, length, nullable, from: from === -1 ? undefined : from, default: value }
    },
  )
}
