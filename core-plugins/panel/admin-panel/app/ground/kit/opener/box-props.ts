import type { RefObject } from 'react'

/** What the box that is opened has to know. */
export interface BoxProps {
  readonly triggerRef: RefObject<HTMLButtonElement | null>
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}
