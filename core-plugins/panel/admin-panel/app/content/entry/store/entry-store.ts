import { createObservable, type Observable } from '../../../ground/observable.ts'
import type { Derived } from '../../schema/derived.ts'
import { isSameValue } from '../../schema/same-value.ts'
import { topFieldOf, type ValuePath, valueAt, withValueAt } from '../../schema/value-path.ts'
import { createHistory, type ValueChange } from './history.ts'
import { createProblems, type Problem } from './problems.ts'
import { createSubscriptions, type Listener } from './subscriptions.ts'

/** An entry as the API shows it: fields by name, with ids in place of related entries. */
export type Entry = Readonly<Record<string, unknown>>

/** The entry on the server. */
export interface Saved {
  readonly entry: Entry
  /** The ETag for `If-Match` of the next write. */
  readonly etag: string
}

/** The state that changes rarely, separate from the values so that the title bar does not render on every keystroke. */
export interface EntryState {
  /** Undefined while the entry is new. */
  readonly saved: Saved | undefined
  readonly isDirty: boolean
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly problems: readonly Problem[]
}

/** The single source of truth of a form: the entry as read (base) and as edited here (mine). */
export interface EntryStore {
  valueAt(path: ValuePath): unknown
  values(): Entry
  base(): Entry
  /** One step of undo. */
  change(path: ValuePath, value: unknown): void
  /** Several values in one step of undo. */
  changeAll(changes: readonly Wanted[]): void
  /** Returns the path that was changed, so that it can be revealed; undefined if there was nothing to undo. */
  undo(): ValuePath | undefined
  redo(): ValuePath | undefined
  /** The fields that differ from the base, with their edited values. */
  changedFields(): Entry
  /** Continues from another base: after a save, a merge, or a read. */
  rebase(next: Rebase): void
  showProblems(problems: readonly Problem[]): void
  problemAt(path: ValuePath): string | undefined
  /** Called after changes above, at or below a path. */
  subscribe(path: ValuePath, listener: Listener): () => void
  subscribeToProblems(path: ValuePath, listener: Listener): () => void
  state(): EntryState
  /** Called after every change of `state()`. */
  subscribeToState(listener: Listener): () => void
  /** Called after every change of a value, for the journal. */
  subscribeToAll(listener: Listener): () => void
}

interface Wanted {
  readonly path: ValuePath
  readonly value: unknown
}

export interface Rebase {
  readonly base: Entry
  readonly values: Entry
  readonly saved: Saved | undefined
}

export interface EntryStart extends Rebase {
  /** The fields that can be written. */
  readonly fields: readonly string[]
  readonly derived?: readonly Derived[]
  readonly now?: () => number
}

/** Makes the store of one form. */
export const createEntryStore = (start: EntryStart): EntryStore => new LiveEntry(start)

class LiveEntry implements EntryStore {
  readonly #fields: readonly string[]
  readonly #derived: readonly Derived[]
  readonly #now: () => number
  readonly #history = createHistory()
  readonly #problems = createProblems()
  readonly #subscriptions = createSubscriptions()
  readonly #changes = createObservable(0)
  readonly #changed: Set<string>
  readonly #state: Observable<EntryState>
  #base: Entry
  #values: Entry
  #saved: Saved | undefined

  constructor({ base, values, saved, fields, derived = [], now = Date.now }: EntryStart) {
    this.#base = base
    this.#values = values
    this.#saved = saved
    this.#fields = fields
    this.#derived = derived
    this.#now = now
    this.#changed = new Set(fields.filter((field) => !isSameValue(base[field], values[field])))
    this.#state = createObservable(this.#currentState())
  }

  valueAt = (path: ValuePath) => valueAt(this.#values, path)
  values = () => this.#values
  base = () => this.#base
  state = () => this.#state.get()
  problemAt = (path: ValuePath) => this.#problems.at(path)
  subscribe = this.#subscriptions.add
  subscribeToProblems = this.#problems.subscribe
  subscribeToState = (listener: Listener) => this.#state.subscribe(listener)
  subscribeToAll = (listener: Listener) => this.#changes.subscribe(listener)
  undo = () => this.#step(this.#history.undo())
  redo = () => this.#step(this.#history.redo())

  changedFields() {
    return Object.fromEntries([...this.#changed].map((field) => [field, this.#values[field]]))
  }

  change(path: ValuePath, value: unknown) {
    this.changeAll([{ path, value }])
  }

  changeAll(wanted: readonly Wanted[]) {
    const changes = wanted
      .map(({ path, value }) => ({ path, before: this.valueAt(path), after: value }))
      .filter(({ before, after }) => !isSameValue(before, after))
    if (changes.length === 0) return
    const isWanted = (path: ValuePath) => wanted.some((each) => each.path === path)
    const following = changes.flatMap((change) => this.#following(change))
    const all = [...changes, ...following.filter(({ path }) => !isWanted(path))]
    this.#history.add(all, this.#now())
    this.#apply(all)
  }

  rebase({ base, values, saved }: Rebase) {
    const arrived = this.#fields.filter((field) => !isSameValue(this.#values[field], values[field]))
    this.#base = base
    this.#values = values
    this.#saved = saved
    this.#history.forget(new Set(arrived))
    for (const field of this.#fields) this.#compare(field)
    this.#publish(arrived)
  }

  showProblems(problems: readonly Problem[]) {
    this.#problems.set(problems)
    this.#publish([])
  }

  /** Changes of values derived from this one, such as a slug. */
  #following({ path, before, after }: ValueChange): ValueChange[] {
    return this.#derived
      .filter(({ source, target, derive }) => {
        const present = this.valueAt(target) ?? ''
        return source === path && (present === '' || present === derive(before))
      })
      .map(({ target, derive }) => ({ path: target, before: this.valueAt(target), after: derive(after) }))
  }

  #step(changes: readonly ValueChange[] | undefined): ValuePath | undefined {
    if (changes !== undefined) this.#apply(changes)
    return changes?.[0]?.path
  }

  #apply(changes: readonly ValueChange[]) {
    for (const { path, after } of changes) {
      this.#values = withValueAt(this.#values, path, after)
      this.#compare(topFieldOf(path))
      this.#problems.clear(path)
    }
    this.#publish(changes.map(({ path }) => path))
  }

  #compare(field: string) {
    if (isSameValue(this.#base[field], this.#values[field])) this.#changed.delete(field)
    else if (this.#fields.includes(field)) this.#changed.add(field)
  }

  #publish(paths: readonly ValuePath[]) {
    this.#subscriptions.notify(paths)
    const [present, next] = [this.state(), this.#currentState()]
    const isSame = (Object.keys(next) as (keyof EntryState)[]).every((key) => next[key] === present[key])
    if (!isSame) this.#state.set(next)
    this.#changes.set(this.#changes.get() + 1)
  }

  #currentState(): EntryState {
    return {
      saved: this.#saved,
      isDirty: this.#changed.size > 0,
      canUndo: this.#history.canUndo(),
      canRedo: this.#history.canRedo(),
      problems: this.#problems.all(),
    }
  }
}
