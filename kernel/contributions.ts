import { inPlace, type Placed, PlacementCircle } from './placement.ts'
import { PluginFault } from './plugin-fault.ts'
import { StartupError } from './startup-error.ts'

/** What a plugin added to an extension point or to the listeners of a hook. */
export interface Contribution extends Placed {
  readonly value: unknown
}

type Key = { readonly id: string }

/** The lists that plugins add to, one per id. */
export interface Contributions {
  /** @throws Error once sealed, naming plugin and key */
  add(key: Key, contribution: Contribution): void
  /**
   * Ordered by placement, and by start order where placement leaves it open.
   * @throws PluginFault blaming, of the plugins in a circular placement, the one that started last
   */
  of(key: Key): readonly Contribution[]
  /**
   * Closes all lists, so that what plugins read from them at boot is complete.
   * @throws PluginFault as `of` does, for any list
   */
  seal(): void
}

/** Creates empty lists; `names` are the plugins in start order. */
export function createContributions(names: readonly string[]): Contributions {
  const added = new Map<string, Contribution[]>()
  // Hooks are emitted on every write, so a list is sorted only once.
  const sorted = new Map<string, readonly Contribution[]>()
  const startPosition = ({ plugin }: Placed) => names.indexOf(plugin)
  const byStart = (left: Placed, right: Placed) => startPosition(left) - startPosition(right)
  let isSealed = false

  function sort(id: string): readonly Contribution[] {
    try {
      return inPlace([...(added.get(id) ?? [])].sort(byStart))
    } catch (error) {
      if (!(error instanceof PlacementCircle)) throw error
      const last = [...error.members].sort(byStart).at(-1)
      throw new PluginFault(last?.plugin ?? '', circleIn(id, error))
    }
  }

  function listOf(id: string) {
    const list = sorted.get(id) ?? sort(id)
    sorted.set(id, list)
    return list
  }

  return {
    add({ id }, contribution) {
      if (isSealed) {
        throw new Error(`${contribution.plugin} adds to ${id} too late; do so in register or init`)
      }
      added.set(id, [...(added.get(id) ?? []), contribution])
      sorted.delete(id)
    },
    of: ({ id }) => listOf(id),
    seal() {
      isSealed = true
      for (const id of added.keys()) listOf(id)
    },
  }
}

function circleIn(id: string, { message }: PlacementCircle): StartupError {
  const remedy = 'take one of their names out of `before` or `after`'
  return new StartupError('The plugins do not fit together:', [{ subject: id, message, remedy }])
}
