import { useEffect } from 'react'

/** Gives the focus to the rows when the bar for selected ones goes away, and the button that was pressed with it. */
export function useFocusAfterwards() {
  useEffect(
    () => () => {
      // The dialog of the action looks for that button in the next frame.
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
