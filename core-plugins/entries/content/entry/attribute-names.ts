/** A new name of an attribute, in a type or component, for documents from before. */
export interface Rename {
  readonly owner: string
  readonly from: string
  readonly to: string
  /**
   * What has the new name already was written by a process that knew it: the earlier name may be there as well where
   * versions of a project took turns. Otherwise it is a value of another attribute that had the name before.
   */
  readonly isShared?: true
}

/** The names of attributes, as starts have declared them. */
export interface NameRecord {
  readonly owners: Readonly<Record<string, OwnNames>>
  /** In the order in which they were made; a document has the names of as many as there were when it was written. */
  readonly renames: readonly Rename[]
}

export interface OwnNames {
  readonly declared: readonly string[]
  /** Declared by starts before the last one. */
  readonly former: readonly string[]
}

/** What a type or component declares: its attributes by name, with the names that they had. */
export type DeclaredNames = ReadonlyMap<string, { readonly renamedFrom?: string | undefined }>

export const noNames: NameRecord = { owners: {}, renames: [] }

/** The record after a start that declares these; the same one if nothing has changed. */
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

/** An earlier version of a project is started again, which knows an attribute by its earlier name. */
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

/** A copy of a document's level with the names of now. */
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
