import { createContext, useContext } from 'react'

/** How many drawers lie over the page already. */
export const DrawerDepth = createContext(0)

/** With more, nobody knows any longer what they were about to do. */
const maxDepth = 3

/** Whether another drawer may be opened over this form. */
export function useDrawers(): { readonly depth: number; readonly mayOpen: boolean } {
  const depth = useContext(DrawerDepth)
  return { depth, mayOpen: depth < maxDepth }
}
