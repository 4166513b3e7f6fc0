import type { FileAttribute } from './file-content.ts'

export type RenameObstacle = 'component' | 'links' | 'inverse'

/** Why a field that has values cannot get another name without losing them; undefined where it can. */
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
 * The attribute with the name from which it takes its values over: that under which the database has them, however often
 * it has been renamed since the file was read.
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
