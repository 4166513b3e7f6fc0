/**
 * The position of an item in a list that several plugins add to. A name is either a plugin's, meaning
 * everything it added, or `plugin:step`. Unknown names are ignored, as their plugin may be switched off.
 */
export interface Placement {
  /** Distinguishes a plugin's items within one list: `compile` of the plugin `http` is `http:compile`. */
  readonly step?: string
  /** What this comes before; `*` means everything that does not itself say `*` here. */
  readonly before?: readonly string[]
  /** What this comes after; `*` means everything that does not itself say `*` here. */
  readonly after?: readonly string[]
}

/** An item to be placed in a list. */
export interface Placed {
  readonly plugin: string
  readonly placement: Placement
  /** Among items that no name orders, lower comes first. */
  readonly order: number
}

/** Items whose placements contradict each other. */
export class PlacementCircle extends Error {
  /** Each comes before the next, and the last before the first. */
  readonly members: readonly Placed[]

  constructor(members: readonly Placed[]) {
    super(
      `these come before each other in a circle: ${[...members, ...members.slice(0, 1)].map(nameOf).join(' → ')}`,
    )
    this.name = 'PlacementCircle'
    this.members = members
  }
}

/**
 * Returns a sorted copy. Names take precedence; then items before `*` come first and items after `*` last;
 * then `order` counts, then the original position. An item that names what it comes before moves forward; one
 * that names what it comes after waits.
 * @throws PlacementCircle
 */
export function inPlace<T extends Placed>(items: readonly T[]): readonly T[] {
  if (items.every(isIndifferent)) return items
  const followers = followersOf(items)
  assertNoCircle(followers)
  const urgency = urgencyOf(items)
  const waitingFor = new Map(items.map((item) => [item, 0]))
  for (const behind of followers.values()) {
    for (const item of behind) waitingFor.set(item, (waitingFor.get(item) ?? 0) + 1)
  }
  const sorted: T[] = []
  while (waitingFor.size > 0) {
    const ready = [...waitingFor].filter(([, count]) => count === 0).map(([item]) => item)
    const next = ready.reduce((left, right) => (isMoreUrgent(urgency(right), urgency(left)) ? right : left))
    sorted.push(next)
    waitingFor.delete(next)
    for (const item of followers.get(next) ?? []) waitingFor.set(item, (waitingFor.get(item) ?? 0) - 1)
  }
  return sorted
}

function isIndifferent({ placement: { before = [], after = [] }, order }: Placed): boolean {
  return order === 0 && before.length === 0 && after.length === 0
}

function nameOf({ plugin, placement: { step } }: Placed): string {
  return step === undefined ? plugin : `${plugin}:${step}`
}

/** The items that one of the names refers to. */
function namedBy<T extends Placed>(names: readonly string[] | undefined, items: readonly T[]): T[] {
  if (names === undefined) return []
  return items.filter((item) => names.includes(item.plugin) || names.includes(nameOf(item)))
}

type Followers<T> = ReadonlyMap<T, ReadonlySet<T>>

/** Maps each item to those that must come after it, according to the names. */
function followersOf<T extends Placed>(items: readonly T[]): Followers<T> {
  const followers = new Map(items.map((item) => [item, new Set<T>()]))
  for (const item of items) {
    for (const later of namedBy(item.placement.before, items)) followers.get(item)?.add(later)
    for (const earlier of namedBy(item.placement.after, items)) followers.get(earlier)?.add(item)
  }
  // A plugin may name itself to place one step among its others.
  for (const [item, behind] of followers) behind.delete(item)
  return followers
}

function assertNoCircle<T extends Placed>(followers: Followers<T>): void {
  const sound = new Set<T>()
  const visit = (item: T, path: readonly T[]) => {
    if (path.includes(item)) throw new PlacementCircle(path.slice(path.indexOf(item)))
    if (sound.has(item)) return
    for (const later of followers.get(item) ?? []) visit(later, [...path, item])
    sound.add(item)
  }
  for (const item of followers.keys()) visit(item, [])
}

/**
 * Orders items that names leave open: start, middle or end of the list, then order, then original position.
 */
type Urgency = readonly [end: number, order: number, position: number]

/**
 * Returns an item's urgency, or that of the most urgent item it explicitly comes before, whichever is more
 * urgent.
 */
function urgencyOf<T extends Placed>(items: readonly T[]): (item: T) => Urgency {
  const found = new Map<T, Urgency>()
  const find = (item: T): Urgency => {
    const { placement, order } = item
    const own: Urgency = [endOf(placement), order, items.indexOf(item)]
    const behind = namedBy(placement.before, items).filter((later) => later !== item)
    return behind.map(urgency).reduce((left, right) => (isMoreUrgent(right, left) ? right : left), own)
  }
  const urgency = (item: T): Urgency => {
    const known = found.get(item) ?? find(item)
    found.set(item, known)
    return known
  }
  return urgency
}

function endOf({ before, after }: Placement): number {
  if (before?.includes('*')) return -1
  return after?.includes('*') ? 1 : 0
}

function isMoreUrgent(left: Urgency, right: Urgency): boolean {
  const [end, order, position] = left
  return (end - right[0] || order - right[1] || position - right[2]) < 0
}
