import { type ContributionOf, PluginFault } from '../../../kernel/index.ts'
import type { TableSpec } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { EntryColumns } from './entry/entry-extensions.ts'

/**
 * Every read selects the columns, so a missing one would fail them all.
 * @throws PluginFault blaming the first plugin whose column no table has, or whose field another plugin shows
 */
export function assertEntryColumns(
  contributed: readonly ContributionOf<EntryColumns>[],
  types: Iterable<ContentType>,
  tables: readonly TableSpec[],
): void {
  if (contributed.length === 0) return
  const byName = new Map(tables.map((table) => [table.name, table]))
  for (const type of types) {
    const owners = new Map<string, string>()
    for (const { plugin, value: columnsOf } of contributed) {
      for (const { column, kind, field, isShown } of columnsOf(type)) {
        const present = byName.get(type.table)?.columns.find(({ name }) => name === column)
        if (present?.kind !== kind) {
          const problem = present === undefined ? 'does not exist' : `is of kind ${present.kind}, not ${kind}`
          throw new PluginFault(
            plugin,
            new Error(`the column ${column} of ${type.name} ${problem}; add it by contentTables`),
          )
        }
        const owner = isShown ? owners.get(field) : undefined
        if (owner !== undefined) {
          throw new PluginFault(plugin, new Error(`the field ${field} of ${type.name} is shown by ${owner}`))
        }
        if (isShown) owners.set(field, plugin)
      }
    }
  }
}
