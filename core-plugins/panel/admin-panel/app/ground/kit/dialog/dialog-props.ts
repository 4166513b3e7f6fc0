import type { ReactNode } from 'react'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons at the bottom, the main action last. */
  readonly actions?: ReactNode
  readonly size?: 's' | 'm' | 'l'
  /** If false, only its own buttons close it, because data would be lost. */
  readonly isDismissable?: boolean
  /** Whether it contains unsaved input: Escape, the close button and a click outside then ask first. */
  readonly isUnsaved?: boolean
}

/** Props of a dialog, plus those that make it a box or a drawer. */
export interface LayerProps extends Omit<DialogProps, 'size'> {
  readonly shape: string
  readonly overlay: string
}
