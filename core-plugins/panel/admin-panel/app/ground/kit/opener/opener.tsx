import { type ReactElement, type ReactNode, Suspense, useRef, useState } from 'react'
import { ButtonContext } from 'react-aria-components/Button'
import type { BoxProps } from './box-props.ts'

export interface OpenerProps {
  readonly kind: 'menu' | 'dialog'
  /** The button. */
  readonly trigger: ReactElement
  /** Fetches the code of the box, which no screen needs to stand: called as soon as one points at the button. */
  readonly load: () => Promise<unknown>
  readonly children: (box: BoxProps) => ReactNode
}

/** A button that opens something beside it. The library's own triggers would bring the box into the first load. */
export function Opener({ kind, trigger, load, children }: OpenerProps) {
  const triggerRef = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [hasBeenOpen, setHasBeenOpen] = useState(false)
  // If it fails, opening the box will say what is wrong.
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
