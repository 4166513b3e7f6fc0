import { StartupError, type StartupProblem } from '../../../kernel/index.ts'
import type { IndexSpec, TableSpec } from '../../foundation/database/database.ts'
import type { ContentType, Schemas, TypeProblem } from '../../foundation/schemas/schemas.ts'
import { isLocalized } from './columns.ts'

/** The limit of characters in a MySQL index. */
const maxIndexedCharacters = 768

/** Checks that the types declared as localised can be localised. @throws StartupError with all problems */
export function checkTypes({ types }: Schemas, tables: readonly TableSpec[]): void {
  const problems = localizationProblems({ types }, tables)
  if (problems.length > 0)
    throw new StartupError('Some content types cannot be localised:', problems.map(inReport))
}

/** Why types that are declared as localised cannot be. */
export function localizationProblems(
  { types }: Pick<Schemas, 'types'>,
  tables: readonly TableSpec[],
): TypeProblem[] {
  const tableOf = new Map(tables.map((table) => [table.name, table]))
  return [...types.values()].filter(isLocalized).flatMap((type) => {
    const table = tableOf.get(type.table)
    return [...sharedTargets(type), ...(table === undefined ? [] : longIndexes(type, table))]
  })
}

function inReport({ type, at, message, remedy }: TypeProblem): StartupProblem {
  return { subject: `${type}.json: ${at}`, message, remedy }
}

/** For `oneToMany`, a target belongs to only one entry, so the versions of an entry cannot share it. */
function sharedTargets({ name, attributes }: ContentType): TypeProblem[] {
  return [...attributes.values()].flatMap((attribute) => {
    if (attribute.type !== 'relation' || attribute.side === 'inverse' || attribute.localized) return []
    if (attribute.relation !== 'oneToMany') return []
    return {
      type: name,
      at: `attributes.${attribute.name}`,
      message: 'is a oneToMany relation shared by all locales, but a target can belong to only one version',
      remedy: 'localise it, make it manyToMany, or let the target own the relation',
    }
  })
}

function longIndexes({ name }: ContentType, { columns, indexes = [] }: TableSpec): TypeProblem[] {
  const lengths = new Map(
    columns.map(({ name, kind, length = 255 }) => [name, kind === 'string' ? length : 8]),
  )
  const charactersOf = (index: IndexSpec) =>
    index.columns.reduce((sum, column) => sum + (lengths.get(column) ?? 0), 0)
  return indexes
    .filter((index) => index.type === 'unique' && charactersOf(index) > maxIndexedCharacters)
    .map((index) => ({
      type: name,
      at: index.columns.filter((column) => !column.startsWith('_')).join(', '),
      message: `must be unique per locale, and has up to ${charactersOf(index)} characters including the locale`,
      remedy: `an index holds ${maxIndexedCharacters}; set a smaller maxLength`,
    }))
}
