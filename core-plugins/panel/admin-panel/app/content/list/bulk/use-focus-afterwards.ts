import { useEffect } from 'react'

/** Moves the focus to the rows when the bulk action bar disappears along with the pressed button. */
export function useFocusAfterwards() {
  useEffect(
    () => () => {
      // The action's dialog looks for its opener in the next frame.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (document.activeElement !== document.body) return
          document.querySelector<HTMLElement>('main [role=grid]')?.focus()
        }),
      )
    },
    [],
  )
}
