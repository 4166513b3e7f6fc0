/** The path of a value in an entry, as in the service's problem reports: `title`, `blocks.0.body`. */
export type ValuePath = string

type Container = Readonly<Record<string, unknown>> | readonly unknown[]

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

const segmentsOf = (path: ValuePath) => path.split('.')

/** The top-level field of a path. */
export const topFieldOf = (path: ValuePath): string => segmentsOf(path)[0] ?? path

/** `''` for a field of the entry itself. */
export const parentOf = (path: ValuePath): ValuePath => path.slice(0, Math.max(path.lastIndexOf('.'), 0))

export const joinPath = (parent: ValuePath, name: string | number): ValuePath =>
  parent === '' ? String(name) : `${parent}.${name}`

/** Whether `path` is `outer` or stands somewhere in it. */
export const isWithin = (path: ValuePath, outer: ValuePath): boolean =>
  path === outer || path.startsWith(`${outer}.`)

/** The value at a path; undefined if there is none. */
export function valueAt(root: unknown, path: ValuePath): unknown {
  return segmentsOf(path).reduce<unknown>(
    (value, segment) =>
      isContainer(value) && Object.hasOwn(value, segment) ? Reflect.get(value, segment) : undefined,
    root,
  )
}

/** A copy with a different value at a path; everything off the path is shared with the original. */
export function withValueAt<Root extends Container>(root: Root, path: ValuePath, value: unknown): Root {
  return replaceIn(root, segmentsOf(path), value) as Root
}

function replaceIn(container: unknown, [segment, ...rest]: readonly string[], value: unknown): unknown {
  if (segment === undefined) return value
  const present = isContainer(container) ? Reflect.get(container, segment) : undefined
  const replaced = replaceIn(present, rest, value)
  if (!Array.isArray(container)) return { ...(isContainer(container) ? container : {}), [segment]: replaced }
  const items = [...container]
  items[Number(segment)] = replaced
  return items
}
