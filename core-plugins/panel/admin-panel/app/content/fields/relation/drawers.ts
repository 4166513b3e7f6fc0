import { createContext, useContext } from 'react'

/** How many drawers are open over the page. */
export const DrawerDepth = createContext(0)

/** With more open drawers, users lose track of where they are. */
const maxDepth = 3

/** Whether another drawer may be opened over this form. */
export function useDrawers(): { readonly depth: number; readonly mayOpen: boolean } {
  const depth = useContext(DrawerDepth)
  return { depth, mayOpen: depth < maxDepth }
}
