import type { ReactElement, ReactNode } from 'react'
import { lazyPart } from '../../lazy/lazy-part.ts'
import { Opener } from '../opener/opener.tsx'

export interface PopoverProps {
  /** The button that opens it. */
  readonly trigger: ReactElement
  readonly label: string
  /** Mounted on each opening; it may be a lazy part: the box waits for it. */
  readonly children: ReactNode
}

const load = () => import('./popover-box.tsx')
const PopoverBox = lazyPart(load)

/** A popover beside its button, for a few inputs; closes on Escape and on a click elsewhere. */
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
