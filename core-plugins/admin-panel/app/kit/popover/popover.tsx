import { lazy, type ReactElement, type ReactNode } from 'react'
import { Opener } from '../opener/opener.tsx'

export interface PopoverProps {
  /** The button that opens it. */
  readonly trigger: ReactElement
  readonly label: string
  /** Mounted anew each time that it opens; it may be lazy: the box waits for it. */
  readonly children: ReactNode
}

const load = () => import('./popover-box.tsx')
const PopoverBox = lazy(load)

/** A small box beside its button, for a few inputs; closes by Escape and by a press elsewhere. */
export function Popover({ trigger, label, children }: PopoverProps) {
  return (
    <Opener kind="dialog" trigger={trigger} load={load}>
      {(box) => (
        <PopoverBox {...box} label={label}>
          {children}
        </PopoverBox>
      )}
    </Opener>
  )
}
