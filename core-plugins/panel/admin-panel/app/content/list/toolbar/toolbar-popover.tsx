import type { ReactNode } from 'react'
import { Button, IconButton } from '../../../ground/kit/button/button.tsx'
import { useIsNarrow } from '../../../ground/kit/page/use-is-narrow.ts'
import { Popover } from '../../../ground/kit/popover/popover.tsx'

export interface ToolbarPopoverProps {
  /** Of the box. */
  readonly label: string
  readonly icon: string
  /** What the button is called, if not as the box. */
  readonly name?: string
  /** What stands on the button, if not its name. */
  readonly text?: string
  readonly children: ReactNode
}

/** A button of the toolbar that opens a box; where there is little room, it is its icon only. */
export function ToolbarPopover({ label, icon, name = label, text = name, children }: ToolbarPopoverProps) {
  const trigger = useIsNarrow() ? (
    <IconButton look="secondary" icon={icon} label={name} />
  ) : (
    <Button icon={icon}>{text}</Button>
  )
  return (
    <Popover label={label} trigger={trigger}>
      {children}
    </Popover>
  )
}
