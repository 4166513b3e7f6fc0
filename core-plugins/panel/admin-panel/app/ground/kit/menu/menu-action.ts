/** An item of a menu. */
export interface MenuAction {
  readonly id: string
  readonly label: string
  readonly icon?: string
  /** Whether it deletes or ends something. */
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
  readonly onAction: () => void
}
