import type { ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import type { BoxProps } from '../opener/box-props.ts'
import classes from './popover.module.css'

export interface PopoverBoxProps extends BoxProps {
  readonly label: string
  readonly children: ReactNode
}

/** The box that a popover opens. */
export default function PopoverBox({ label, children, ...box }: PopoverBoxProps) {
  return (
    <Popover
      {...box}
      trigger="DialogTrigger"
      className={classes.popover ?? ''}
      placement="bottom end"
      offset={4}
    >
      <Dialog aria-label={label} className={classes.dialog ?? ''}>
        {children}
      </Dialog>
    </Popover>
  )
}
