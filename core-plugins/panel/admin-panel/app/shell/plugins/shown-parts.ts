import type { Access } from '../../ground/access/access.ts'

interface MaybeShown {
  readonly mayShow?: (access: Access) => boolean
  readonly types?: readonly string[]
}

/** Whether a plugin part may be shown; if its `mayShow` throws, it is hidden. */
export function isShown({ mayShow }: MaybeShown, access: Access): boolean {
  try {
    return mayShow === undefined || mayShow(access) === true
  } catch {
    return false
  }
}

/** Whether a part is for entries of a type. */
export const isForType = ({ types }: MaybeShown, type: string) => types === undefined || types.includes(type)
