import type { ErrorDetail } from '../../foundation/http/http.ts'

/**
 * Copies a payload without the parts that have problems: removes the member or item itself, for a missing
 * value the component around it, and the whole attribute if that is not enough.
 */
export function leaveOut(
  payload: Readonly<Record<string, unknown>>,
  problems: readonly ErrorDetail[],
): Record<string, unknown> {
  const copy = structuredClone(payload) as Record<string, unknown>
  const removals = problems.map((problem) => findRemoval(copy, problem))
  // Removed together, so that indexes stay valid until then.
  const doomed = new Map<unknown[], Set<unknown>>()
  for (const removal of removals) {
    if (removal.kind === 'member') delete removal.owner[removal.name]
    else doomed.set(removal.items, (doomed.get(removal.items) ?? new Set()).add(removal.index))
  }
  for (const [items, indexes] of doomed) {
    const kept = items.filter((_, index) => !indexes.has(index))
    items.length = 0
    // One by one: spread arguments could overflow the stack.
    for (const item of kept) items.push(item)
  }
  return copy
}

/** A copy without the attributes that have problems. */
export function leaveOutAttributes(
  payload: Readonly<Record<string, unknown>>,
  problems: readonly ErrorDetail[],
): Record<string, unknown> {
  const names = new Set(problems.map(({ path }) => attributeIn(path)))
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !names.has(name)))
}

type Removal =
  | { readonly kind: 'member'; readonly owner: Record<string, unknown>; readonly name: string }
  | { readonly kind: 'item'; readonly items: unknown[]; readonly index: number }

function findRemoval(payload: Record<string, unknown>, { path, code }: ErrorDetail): Removal {
  const whole: Removal = { kind: 'member', owner: payload, name: attributeIn(path) }
  const places = placesAlong(payload, path)
  const last = places.at(-1)
  if (last === undefined) return whole
  const isAroundIt = code === 'required' || path.endsWith('.__component')
  if (!isAroundIt) return last
  return places.slice(0, -1).findLast(({ kind }) => kind === 'item') ?? whole
}

/** The parts that could be removed along a path; empty if the path does not exist. */
function placesAlong(payload: Record<string, unknown>, path: string): Removal[] {
  const places: Removal[] = []
  let value: unknown = payload
  for (const segment of path.split('.')) {
    if (Array.isArray(value)) {
      const index = Number(segment)
      places.push({ kind: 'item', items: value, index })
      value = value[index]
    } else if (typeof value === 'object' && value !== null) {
      const owner = value as Record<string, unknown>
      places.push({ kind: 'member', owner, name: segment })
      value = Object.hasOwn(owner, segment) ? owner[segment] : undefined
    } else {
      return []
    }
  }
  return places
}

function attributeIn(path: string): string {
  return path.split('.', 1)[0] ?? path
}
