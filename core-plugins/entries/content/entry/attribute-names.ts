/** A rename of an attribute in a type or component, to be applied to older documents. */
export interface Rename {
  readonly owner: string
  readonly from: string
  readonly to: string
  /**
   * A value already stored under the new name was written by a process that knew it; the old name may be present as well if two
   * versions of a project took turns. Without this flag, such a value belongs to another attribute that had the name before.
   */
  readonly isShared?: true
}

/** The attribute names and renames that starts have declared so far. */
export interface NameRecord {
  readonly owners: Readonly<Record<string, OwnNames>>
  /**
   * In the order in which they were made. A document stores how many there were when it was written; only later ones apply to it.
   */
  readonly renames: readonly Rename[]
}

export interface OwnNames {
  readonly declared: readonly string[]
  /** Declared by earlier starts but not by the last one. */
  readonly former: readonly string[]
}

/** The attributes that a type or component declares, by name, each with its former name. */
export type DeclaredNames = ReadonlyMap<string, { readonly renamedFrom?: string | undefined }>

export const noNames: NameRecord = { owners: {}, renames: [] }

/** The record updated with what a start declares; the same object if nothing has changed. */
export function recordNames(record: NameRecord, declared: ReadonlyMap<string, DeclaredNames>): NameRecord {
  const owners: Record<string, OwnNames> = { ...record.owners }
  const renames = [...record.renames]
  let isSame = true
  for (const [owner, attributes] of declared) {
    const known = record.owners[owner]
    const names = [...attributes.keys()]
    if (known !== undefined && haveSame(known.declared, names)) continue
    isSame = false
    renames.push(...newRenames(owner, attributes, known, record.renames))
    const former = [...(known?.declared ?? []), ...(known?.former ?? [])].filter(
      (name) => !attributes.has(name),
    )
    owners[owner] = { declared: names, former: [...new Set(former)] }
  }
  return isSame ? record : { owners, renames }
}

function haveSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name) => others.includes(name))
}

function newRenames(
  owner: string,
  attributes: DeclaredNames,
  known: OwnNames | undefined,
  earlier: readonly Rename[],
): Rename[] {
  const own = earlier.filter((rename) => rename.owner === owner)
  const isRepeated = (from: string, to: string) => own.some((each) => each.from === from && each.to === to)
  const renames = [...attributes].flatMap(([to, { renamedFrom: from }]): Rename[] => {
    if (from === undefined || attributes.has(from)) return []
    // Documents may be older than the record.
    if (known === undefined) return [{ owner, from, to, isShared: true }]
    const isWaiting = known.former.includes(from) && !known.declared.includes(to)
    if (!known.declared.includes(from) && !isWaiting) return []
    return [{ owner, from, to, ...(isRepeated(from, to) ? { isShared: true } : {}) }]
  })
  const taken = new Set(renames.map(({ from }) => from))
  return [...renames, ...takenBack(owner, attributes, known, own).filter(({ from }) => !taken.has(from))]
}

/** Renames in reverse, when an earlier version of a project starts again and declares an attribute under its former name. */
function takenBack(
  owner: string,
  attributes: DeclaredNames,
  known: OwnNames | undefined,
  own: readonly Rename[],
): Rename[] {
  return [...attributes.keys()].flatMap((to): Rename[] => {
    if (known === undefined || known.declared.includes(to)) return []
    const last = own.findLast(({ from }) => from === to)?.to
    const isGone = last !== undefined && known.declared.includes(last) && !attributes.has(last)
    return isGone ? [{ owner, from: last, to, isShared: true }] : []
  })
}

/** A copy of one level of a document, with its members under their current names. */
export function renamed(
  values: Readonly<Record<string, unknown>>,
  renames: readonly Rename[],
): Record<string, unknown> {
  const current: Record<string, unknown> = { ...values }
  for (const { from, to, isShared = false } of renames) {
    const isThere = Object.hasOwn(current, from)
    if (isShared && (!isThere || Object.hasOwn(current, to))) continue
    delete current[to]
    if (isThere) current[to] = current[from]
    delete current[from]
  }
  return current
}
