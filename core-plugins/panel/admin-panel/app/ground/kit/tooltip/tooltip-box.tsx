import { useEffect, useId, useMemo } from 'react'
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components/Tooltip'
import classes from './tooltip.module.css'

export interface TooltipBoxProps {
  readonly target: HTMLElement
  readonly text: string
}

/** The component asks for the state of a trigger; whoever shows this box has it. */
const shown = { isOpen: true, shouldSkipAnimation: false, open() {}, close() {} }

/** The words beside what they explain. They describe it, unless they are its name or it is described already. */
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
