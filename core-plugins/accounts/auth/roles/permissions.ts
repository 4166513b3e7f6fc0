import type { ContentAction, MediaAction, Permissions } from '../auth-service.ts'

export const contentActions: readonly ContentAction[] = ['read', 'create', 'update', 'delete', 'publish']
export const mediaActions: readonly MediaAction[] = ['read', 'write', 'delete']

/** In `permissions.content`, every type that is not named there. No type can have this name. */
export const everyType = '*'

/** Permissions in the form in which every request checks them: bits by type, no allocation. */
export interface CompiledPermissions {
  mayContent(type: string, action: ContentAction): boolean
  mayMedia(action: MediaAction): boolean
}

const contentBits: Readonly<Record<ContentAction, number>> = {
  read: 1,
  create: 2,
  update: 4,
  delete: 8,
  publish: 16,
}
const mediaBits: Readonly<Record<MediaAction, number>> = { read: 1, write: 2, delete: 4 }

/** Compiles for the declared types. Any other name is allowed only what is allowed on every type. */
export function compilePermissions(permissions: Permissions, types: Iterable<string>): CompiledPermissions {
  const bitsOf = (type: string) => {
    const granted = Object.hasOwn(permissions.content, type)
      ? permissions.content[type]
      : permissions.content[everyType]
    return toBits(granted ?? {}, contentBits)
  }
  const byType = new Map<string, number>()
  for (const type of types) byType.set(type, bitsOf(type))
  // An unknown name must look like a type that the caller may not see, so a role that is denied one type by an exception to
  // `*` is denied unknown names too.
  let onEveryType = bitsOf(everyType)
  for (const bits of byType.values()) onEveryType &= bits
  const media = toBits(permissions.media, mediaBits)

  return {
    mayContent: (type, action) => ((byType.get(type) ?? onEveryType) & contentBits[action]) !== 0,
    mayMedia: (action) => (media & mediaBits[action]) !== 0,
  }
}

/** The permissions of an unknown role. */
export const noPermissions: CompiledPermissions = {
  mayContent: () => false,
  mayMedia: () => false,
}

/** The permissions with every action spelled out and without types that are no longer declared. */
export function spellOut(permissions: Permissions, types: ReadonlySet<string>): Permissions {
  const content = Object.entries(permissions.content)
    .filter(([type]) => type === everyType || types.has(type))
    .map(([type, granted]) => [type, spellOutActions(granted, contentActions)])
  return {
    content: Object.fromEntries(content),
    media: spellOutActions(permissions.media, mediaActions),
  }
}

function spellOutActions<Action extends string>(
  granted: Readonly<Partial<Record<Action, boolean>>>,
  actions: readonly Action[],
) {
  return Object.fromEntries(actions.map((action) => [action, granted[action] === true])) as Record<
    Action,
    boolean
  >
}

function toBits<Action extends string>(
  granted: Readonly<Partial<Record<Action, boolean>>>,
  bits: Readonly<Record<Action, number>>,
): number {
  let sum = 0
  for (const action in bits) if (granted[action] === true) sum |= bits[action]
  return sum
}
