import type { ReactNode } from 'react'
import { Button, IconButton } from '../../../ground/kit/button/button.tsx'
import { useIsNarrow } from '../../../ground/kit/page/use-is-narrow.ts'
import { Popover } from '../../../ground/kit/popover/popover.tsx'

export interface ToolbarPopoverProps {
  /** Of the box. */
  readonly label: string
  readonly icon: string
  /** The accessible name of the button, by default `label`. */
  readonly name?: string
  /** The visible text of the button, by default its name. */
  readonly text?: string
  readonly children: ReactNode
}

/** A toolbar button that opens a popover; on narrow screens it shows only its icon. */
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
