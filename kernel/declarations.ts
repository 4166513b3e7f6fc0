import { nearest } from './nearest.ts'
import type { Plugin } from './plugin.ts'
import { describeMisfit, fits, type Holder, type Token, withArticle } from './token.ts'

/** Which plugins own which extension points and hooks. */
export interface Declarations {
  /**
   * Points and hooks of plugins that are off count: what is added to them is never read.
   * @throws Error unless some plugin owns the point or hook, in a version that fits
   */
  assertOwned(plugin: string, token: Token): void
}

export interface DeclarationsOptions {
  /** Where several own a token, the first one counts. */
  readonly plugins: readonly Plugin[]
  /** Names of plugins that are off; those among them that were not loaded are not in `plugins`. */
  readonly switchedOff: Iterable<string>
  /** What the kernel itself emits. */
  readonly common: readonly Token[]
}

/** Creates the declarations of some plugins. */
export function createDeclarations({ plugins, switchedOff, common }: DeclarationsOptions): Declarations {
  const all: readonly Holder[] = [
    ...common.map((token) => ({ plugin: 'the kernel', token })),
    ...plugins.flatMap((plugin) => ownedBy(plugin).map((token) => ({ plugin: plugin.name, token }))),
  ]
  const owners = new Map([...all].reverse().map((owner) => [owner.token.id, owner]))
  const namesOff = [...switchedOff]

  return {
    assertOwned(plugin, token) {
      const owner = owners.get(token.id)
      if (owner === undefined) {
        if (ownerAmong(namesOff, token) !== undefined) return
        throw new Error(`${describeUse(plugin, token)}, which no plugin has; ${remedy(token, owners.keys())}`)
      }
      const { kind } = owner.token
      if (kind !== token.kind) throw new Error(`${describeUse(plugin, token)}, which is ${withArticle(kind)}`)
      if (fits(token, owner.token)) return
      const misfit = describeMisfit({ plugin, token }, owner)
      throw new Error(`${plugin} ${misfit.message}; ${misfit.remedy}`)
    },
  }
}

/** The points and hooks of a plugin. */
export const ownedBy = ({ points = [], hooks = [] }: Plugin): readonly Token[] => [...points, ...hooks]

/**
 * What a plugin has that was not loaded is only known by its namespace: `shop:discounts` is of `shop`, which may be
 * listed as `@acme/mortise-shop` or `./elsewhere/shop.ts`. Returns that name.
 */
export function ownerAmong(names: readonly string[], { id }: Token): string | undefined {
  const end = id.indexOf(':')
  if (end <= 0) return undefined
  const space = id.slice(0, end)
  return names.find((listed) => {
    const name = listed.replace(/\.[cm]?[jt]s$/, '')
    return name === space || name.endsWith(`/${space}`) || name.endsWith(`-${space}`)
  })
}

const describeUse = (plugin: string, { kind, id }: Token) =>
  `${plugin} ${kind === 'hook' ? 'listens' : 'contributes'} to the ${kind} ${id}`

function remedy({ kind, id }: Token, known: Iterable<string>): string {
  const meant = nearest(id, known)
  if (meant !== undefined) return `did you mean ${meant}?`
  if (kind === 'hook') return 'install the plugin that emits it, which lists it in `hooks`'
  return 'install the plugin that reads it, which lists it in `points`'
}
