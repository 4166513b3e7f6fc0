import type { RefObject } from 'react'

/** Props of the opened box. */
export interface BoxProps {
  readonly triggerRef: RefObject<HTMLButtonElement | null>
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}
