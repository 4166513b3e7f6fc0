import type { ReactNode } from 'react'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons at the bottom, the one that does it last. */
  readonly actions?: ReactNode
  readonly size?: 's' | 'm' | 'l'
  /** False: only its own buttons close it, because something would be lost. */
  readonly isDismissable?: boolean
  /** Something was entered that would be lost: Escape, the cross and a press beside the dialog ask first. */
  readonly isUnsaved?: boolean
}

/** A dialog with what makes a box or a drawer of it. */
export interface LayerProps extends Omit<DialogProps, 'size'> {
  readonly shape: string
  readonly overlay: string
}
