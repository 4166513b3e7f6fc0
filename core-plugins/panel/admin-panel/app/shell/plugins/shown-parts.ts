import type { Access } from '../../ground/access/access.ts'

interface MaybeShown {
  readonly mayShow?: (access: Access) => boolean
  readonly types?: readonly string[]
}

/** A function of a plugin that throws shows nothing: it is not known to allow anything. */
export function isShown({ mayShow }: MaybeShown, access: Access): boolean {
  try {
    return mayShow === undefined || mayShow(access) === true
  } catch {
    return false
  }
}

/** Whether a part is for entries of a type. */
export const isForType = ({ types }: MaybeShown, type: string) => types === undefined || types.includes(type)
