/** What can be chosen in a menu. */
export interface MenuAction {
  readonly id: string
  readonly label: string
  readonly icon?: string
  /** Deletes or ends something. */
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
  readonly onAction: () => void
}
