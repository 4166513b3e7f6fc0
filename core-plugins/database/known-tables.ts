import type { TableSpec } from './database.ts'
import {
  idColumnOf,
  indexesOf,
  indexName,
  primaryKeyName,
  primaryKeyOf,
  referenceName,
} from './sync/names.ts'

/** What a violated constraint is about. */
export interface Constraint {
  readonly table: string
  readonly columns: readonly string[]
}

/** The declared tables, as far as drivers need to know them. */
export class KnownTables {
  readonly #idColumns = new Map<string, string>()
  readonly #constraints = new Map<string, Constraint>()
  #names: string[] = []

  use(tables: readonly TableSpec[]): void {
    this.#names = tables.map((table) => table.name)
    this.#idColumns.clear()
    this.#constraints.clear()
    for (const table of tables) {
      const id = idColumnOf(table)
      if (id !== undefined) this.#idColumns.set(table.name, id)
      for (const [name, columns] of constraintsOf(table)) {
        this.#constraints.set(name, { table: table.name, columns })
      }
    }
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

  /** What a constraint or index of this name is about; names of long ones do not tell it. */
  constraint(name: string): Constraint | undefined {
    return this.#constraints.get(name)
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
