import {
  idColumnOf,
  indexesOf,
  indexName,
  primaryKeyName,
  primaryKeyOf,
  referenceName,
} from '../sync/names.ts'
import { shortenIdentifier, shortenNames } from '../tables/identifier.ts'
import type { TableSpec } from '../tables/table-spec.ts'

/** The table and columns of a violated constraint. */
export interface Constraint {
  readonly table: string
  readonly columns: readonly string[]
}

/**
 * The declared tables, as far as drivers need them. Registered under their declared names, looked up by the
 * names in the database.
 */
export class KnownTables {
  readonly #idColumns = new Map<string, string>()
  readonly #constraints = new Map<string, Constraint>()
  readonly #declaredNames = new Map<string, string>()
  #names: string[] = []

  use(tables: readonly TableSpec[]): void {
    for (const known of [this.#idColumns, this.#constraints, this.#declaredNames]) known.clear()
    this.#names = tables.map((table) => shortenNames(table).name)
    for (const table of tables) this.#learn(table, shortenNames(table))
  }

  get names(): readonly string[] {
    return this.#names
  }

  /** The column of kind `id` of a table. */
  idColumn(table: string | undefined): string | undefined {
    return table === undefined ? undefined : this.#idColumns.get(table)
  }

  primaryKey(table: string): Constraint | undefined {
    return this.constraint(primaryKeyName(table))
  }

  /** The table and columns of the constraint or index with this name, which a shortened name does not reveal. */
  constraint(name: string): Constraint | undefined {
    return this.#constraints.get(name)
  }

  /** The name under which a table or column was declared. */
  declaredName(name: string): string {
    return this.#declaredNames.get(name) ?? name
  }

  #learn(declared: TableSpec, table: TableSpec): void {
    const id = idColumnOf(table)
    if (id !== undefined) this.#idColumns.set(table.name, id)
    this.#declaredNames.set(table.name, declared.name)
    for (const { name } of declared.columns) this.#declaredNames.set(shortenIdentifier(name), name)
    for (const [name, columns] of constraintsOf(table)) {
      const declaredColumns = columns.map((column) => this.declaredName(column))
      this.#constraints.set(name, { table: declared.name, columns: declaredColumns })
    }
  }
}

function constraintsOf(table: TableSpec): [string, readonly string[]][] {
  const { name, references = [] } = table
  return [
    [primaryKeyName(name), primaryKeyOf(table)],
    ...indexesOf(table).map((index): [string, readonly string[]] => [indexName(name, index), index.columns]),
    ...references.map(({ column }): [string, readonly string[]] => [referenceName(name, column), [column]]),
  ]
}
