import { type ReactElement, type ReactNode, Suspense, useRef, useState } from 'react'
import { ButtonContext } from 'react-aria-components/Button'
import type { BoxProps } from './box-props.ts'

export interface OpenerProps {
  readonly kind: 'menu' | 'dialog'
  /** The button. */
  readonly trigger: ReactElement
  /** Loads the code of the box, which is not part of the first load: called when the pointer is over the button. */
  readonly load: () => Promise<unknown>
  readonly children: (box: BoxProps) => ReactNode
}

/** A button that opens a box beside it. The library's own triggers would add the box to the first load. */
export function Opener({ kind, trigger, load, children }: OpenerProps) {
  const triggerRef = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [hasBeenOpen, setHasBeenOpen] = useState(false)
  // If it fails, opening the box shows the error.
  const prefetch = () => void load().catch(() => undefined)
  function open() {
    setHasBeenOpen(true)
    setOpen(true)
  }
  return (
    <>
      <ButtonContext
        value={{
          ref: triggerRef,
          'aria-haspopup': kind,
          'aria-expanded': isOpen,
          isPressed: isOpen,
          onHoverStart: prefetch,
          onFocus: prefetch,
          onPress: open,
          onKeyDown: (event) => {
            if (kind === 'menu' && event.key === 'ArrowDown') open()
            else event.continuePropagation()
          },
        }}
      >
        {trigger}
      </ButtonContext>
      {hasBeenOpen && (
        <Suspense fallback={null}>{children({ triggerRef, isOpen, onOpenChange: setOpen })}</Suspense>
      )}
    </>
  )
}
