import { assertUniqueNames, type ContributionOf, PluginFault } from '../../../../kernel/index.ts'
import type { ColumnKind } from '../tables/column-kind.ts'
import type { TableSpec } from '../tables/table-spec.ts'

const kinds: Readonly<Record<ColumnKind, true>> = {
  id: true,
  reference: true,
  integer: true,
  bigint: true,
  decimal: true,
  boolean: true,
  string: true,
  text: true,
  date: true,
  datetime: true,
  json: true,
  point: true,
}

/**
 * Names may begin with `_`: plugins use that for their columns in tables of content types, since attributes never
 * begin with it.
 */
const identifier = /^[a-z_][a-z0-9_]*$/

/**
 * @throws PluginFault blaming the first plugin whose table has a name that is taken, or a shape that no database
 * supports
 */
export function assertTables(contributed: readonly ContributionOf<TableSpec>[]): void {
  assertUniqueNames('table', contributed)
  const names = new Set(contributed.map(({ value }) => value.name))
  for (const { plugin, value } of contributed) {
    const unknown = (value.references ?? []).filter(({ table }) => !names.has(table))
    const problems = [
      ...tableProblems(value),
      ...unknown.map(({ column, table }) => `${column} refers to the table ${table}, which is not declared`),
    ]
    if (problems.length === 0) continue
    throw new PluginFault(plugin, new Error(`the table ${value.name} cannot be made: ${problems.join('; ')}`))
  }
}

/** Returns the problems in the shape of a table, regardless of other tables. */
export function tableProblems(table: TableSpec): string[] {
  const { name, columns, primaryKey = [], indexes = [], references = [] } = table
  const names = columns.map((column) => column.name)
  const used = [primaryKey, references.map(({ column }) => column), ...indexes.map((index) => index.columns)]
  const missing = used.flat().filter((column) => !names.includes(column))
  const hasKey = primaryKey.length > 0 || columns.some(({ kind }) => kind === 'id')
  return [
    ...[name, ...names]
      .filter((each) => !identifier.test(each))
      .map((each) => `${each} is not a snake_case name`),
    ...columns
      .filter(({ kind }) => !Object.hasOwn(kinds, kind))
      .map((each) => `${each.name} is of an unknown kind`),
    ...names.filter((each, at) => names.indexOf(each) !== at).map((each) => `it has two columns ${each}`),
    ...missing.map((each) => `it has no column ${each}`),
    ...(hasKey ? [] : ['it needs a column of kind id, or a primaryKey']),
  ]
}
