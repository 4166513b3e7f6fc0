import { topFieldOf, type ValuePath } from '../../schema/value-path.ts'

/** A value replaced by an operation. */
export interface ValueChange {
  readonly path: ValuePath
  readonly before: unknown
  readonly after: unknown
}

/** The changes of one undo step. */
interface Operation {
  readonly changes: readonly ValueChange[]
  readonly at: number
}

/** Operations on the whole form, in order. */
export interface History {
  /** Adds an operation; what had been undone cannot be redone any more. */
  add(changes: readonly ValueChange[], at: number): void
  /** The changes to apply, newest first, or undefined. */
  undo(): readonly ValueChange[] | undefined
  redo(): readonly ValueChange[] | undefined
  canUndo(): boolean
  canRedo(): boolean
  /** Drops operations on fields that another user has changed: undoing them would undo that user's changes. */
  forget(fields: ReadonlySet<string>): void
}

/** Keystrokes within this many milliseconds of each other form one undo step. */
const pauseMs = 1_000
const maxOperations = 500

export function createHistory(): History {
  let done: Operation[] = []
  let undone: Operation[] = []

  return {
    add(changes, at) {
      undone = []
      const last = done.at(-1)
      const joined = last === undefined ? undefined : join(last, changes, at)
      if (joined !== undefined) done[done.length - 1] = joined
      else done = [...done.slice(1 - maxOperations), { changes, at }]
    },
    undo() {
      const operation = done.pop()
      if (operation === undefined) return undefined
      undone.push(operation)
      return operation.changes.map(reverse).reverse()
    },
    redo() {
      const operation = undone.pop()
      if (operation === undefined) return undefined
      // Keeps the next keystroke from joining this operation.
      done.push({ ...operation, at: 0 })
      return operation.changes
    },
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    forget(fields) {
      const isUntouched = ({ changes }: Operation) =>
        changes.every(({ path }) => !fields.has(topFieldOf(path)))
      done = done.filter(isUntouched)
      undone = undone.filter(isUntouched)
    },
  }
}

const reverse = ({ path, before, after }: ValueChange): ValueChange => ({
  path,
  before: after,
  after: before,
})

/** Joins two edits of one field without a pause between them, along with values derived from the field. */
function join(last: Operation, changes: readonly ValueChange[], at: number): Operation | undefined {
  if (at - last.at > pauseMs || last.changes[0]?.path !== changes[0]?.path) return undefined
  if (![...last.changes, ...changes].every(({ after }) => typeof after === 'string')) return undefined
  const earlier = new Map(last.changes.map((change) => [change.path, change]))
  for (const change of changes) {
    const { before } = earlier.get(change.path) ?? change
    earlier.set(change.path, { ...change, before })
  }
  return { changes: [...earlier.values()], at }
}
