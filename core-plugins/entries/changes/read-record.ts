import type { HiddenType, ReadObserver, ReadSelection } from '../content/content.ts'

/** Entries in an answer and the fields shown of them; undefined: all fields. */
export interface ShownEntries {
  readonly ids: ReadonlySet<number>
  readonly fields: ReadonlySet<string> | undefined
}

/** What an answer depends on in one type. */
export interface TypeDependence {
  readonly shown: ShownEntries[]
  readonly selections: ReadSelection[]
  /** Which ids the answer omits: those of all hidden entries, or only of those in the trash. */
  hides: 'unpublished' | 'trash' | undefined
  /** Fields whose change in any entry counts. */
  fields: Set<string> | undefined
  /** Whether any change of any field counts. */
  isWhole: boolean
}

type Types = Map<string, TypeDependence>

/** Estimated memory of the parts of a record, in bytes. */
const sizeOf = { record: 300, note: 100, id: 24, selection: 1_200 }

/**
 * What an answer depends on, as reported by its reads. For most answers this is never needed, so the reports are evaluated only
 * on demand.
 */
export class ReadRecord implements ReadObserver {
  /** Why the answer cannot be kept; undefined if it can. */
  opaque: string | undefined
  /** Types whose entries become visible when the time of their publication comes. */
  timed: readonly string[] = []
  /** Estimated memory, in bytes. */
  size = sizeOf.record
  #types: Types | undefined
  #notes: ((types: Types) => void)[] = []

  /** The dependences by type. */
  get types(): ReadonlyMap<string, TypeDependence> {
    this.#types ??= new Map()
    if (this.#notes.length > 0) {
      for (const note of this.#notes) note(this.#types)
      this.#notes = []
    }
    return this.#types
  }

  shows(type: string, ids: readonly number[], fields: ReadonlySet<string> | undefined): void {
    if (ids.length === 0) return
    this.#note(ids.length * sizeOf.id, (types) =>
      dependenceIn(types, type).shown.push({ ids: new Set(ids), fields }),
    )
  }

  selects(type: string, make: () => ReadSelection): void {
    this.#note(sizeOf.selection, (types) => dependenceIn(types, type).selections.push(make()))
  }

  hides(hidden: readonly HiddenType[]): void {
    if (hidden.length > 0) this.#note(0, (types) => addHidden(types, hidden))
  }

  dependsOn(type: string, fields?: ReadonlySet<string>): void {
    this.#note(0, (types) => addFields(dependenceIn(types, type), fields))
  }

  waitsFor(types: readonly string[]): void {
    this.timed = this.timed.length === 0 ? types : [...new Set([...this.timed, ...types])]
  }

  isOpaque(reason: string): void {
    this.opaque ??= reason
  }

  #note(size: number, note: (types: Types) => void): void {
    this.#notes.push(note)
    this.size += sizeOf.note + size
  }
}

function dependenceIn(types: Types, type: string): TypeDependence {
  let found = types.get(type)
  if (found === undefined) {
    found = { shown: [], selections: [], hides: undefined, fields: undefined, isWhole: false }
    types.set(type, found)
  }
  return found
}

function addHidden(types: Types, hidden: readonly HiddenType[]): void {
  for (const { type, isPublicOnly } of hidden) {
    const dependence = dependenceIn(types, type)
    // More changes affect readers of drafts, from whom only the trash is hidden, so `trash` takes precedence.
    if (dependence.hides !== 'trash') dependence.hides = isPublicOnly ? 'unpublished' : 'trash'
  }
}

function addFields(dependence: TypeDependence, fields: ReadonlySet<string> | undefined): void {
  if (fields === undefined) dependence.isWhole = true
  else {
    dependence.fields ??= new Set()
    for (const name of fields) dependence.fields.add(name)
  }
}
