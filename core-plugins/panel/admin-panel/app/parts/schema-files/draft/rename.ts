import type { FileAttribute } from './file-content.ts'

export type RenameObstacle = 'component' | 'links' | 'inverse'

/** Why a field cannot be renamed without losing its values; undefined if it can. */
export function renameObstacle(
  { type, relation, multiple, mappedBy }: FileAttribute,
  isOfComponent: boolean,
): RenameObstacle | undefined {
  if (isOfComponent) return 'component'
  if (type === 'media') return multiple === true ? 'links' : undefined
  if (type !== 'relation' || mappedBy !== undefined) return undefined
  return relation === 'oneToMany' || relation === 'manyToMany' ? 'links' : undefined
}

/**
 * Adds to the attribute the name from which its values are taken: the name in the database, however often the field was renamed
 * since.
 * @param stored the fields of the file as it was read
 */
export function renamed(
  attribute: FileAttribute,
  {
    earlier,
    name,
    stored,
  }: { earlier: string; name: string; stored: Readonly<Record<string, FileAttribute>> },
): FileAttribute {
  const { renamedFrom, ...rest } = attribute
  if (attribute.mappedBy !== undefined) return rest
  const source = typeof renamedFrom === 'string' && Object.hasOwn(stored, renamedFrom) ? renamedFrom : earlier
  if (earlier === name || !Object.hasOwn(stored, source)) return attribute
  const earliest = stored[source]?.renamedFrom
  if (source === name) return earliest === undefined ? rest : { ...rest, renamedFrom: earliest }
  return { ...rest, renamedFrom: source }
}
