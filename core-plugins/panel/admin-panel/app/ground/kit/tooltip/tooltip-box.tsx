import { useEffect, useId, useMemo } from 'react'
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components/Tooltip'
import classes from './tooltip.module.css'

export interface TooltipBoxProps {
  readonly target: HTMLElement
  readonly text: string
}

/** The component requires the state of a trigger; here the caller decides when to show it. */
const shown = { isOpen: true, shouldSkipAnimation: false, open() {}, close() {} }

/** The tooltip beside its target. It describes the target, unless it is its name or a description exists already. */
export default function TooltipBox({ target, text }: TooltipBoxProps) {
  const id = useId()
  const triggerRef = useMemo(() => ({ current: target }), [target])
  useEffect(() => {
    if (target.hasAttribute('aria-describedby') || target.getAttribute('aria-label') === text) return
    target.setAttribute('aria-describedby', id)
    return () => target.removeAttribute('aria-describedby')
  }, [target, text, id])
  return (
    <TooltipTriggerStateContext value={shown}>
      <Tooltip isOpen triggerRef={triggerRef} offset={6} className={classes.tooltip ?? ''}>
        <span id={id}>{text}</span>
      </Tooltip>
    </TooltipTriggerStateContext>
  )
}
