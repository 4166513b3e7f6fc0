import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../../lazy/lazy-part.ts'

const TooltipBox = lazyPart(() => import('./tooltip-box.tsx'))

const delayMs = 500

/**
 * Shows tooltips on hover and keyboard focus for every element with `data-tooltip`. Mount it once per page: a trigger around
 * every button would cost more than the button itself.
 */
export function Tooltips() {
  const [target, setTarget] = useState<HTMLElement>()
  useEffect(() => watchTargets(setTarget), [])
  if (target?.dataset.tooltip === undefined) return null
  return (
    <Suspense>
      <TooltipBox target={target} text={target.dataset.tooltip} />
    </Suspense>
  )
}

/** Calls `show` with the hovered or focused target, and with undefined afterwards. Returns a function to stop. */
function watchTargets(show: (target: HTMLElement | undefined) => void): () => void {
  let hovered: HTMLElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  function hide() {
    clearTimeout(timer)
    show(undefined)
  }
  function onPointerOver({ target, pointerType }: PointerEvent) {
    const next = pointerType === 'touch' ? undefined : withTooltip(target)
    if (next === hovered) return
    hovered = next
    hide()
    if (next !== undefined) timer = setTimeout(() => next.isConnected && show(next), delayMs)
  }
  function onFocus({ target }: FocusEvent) {
    const focused = withTooltip(target)
    if (focused?.matches(':focus-visible')) show(focused)
  }
  const ended = new AbortController()
  const options = { capture: true, passive: true, signal: ended.signal }
  document.addEventListener('pointerover', onPointerOver, options)
  document.addEventListener('focusin', onFocus, options)
  for (const name of ['focusout', 'pointerdown', 'keydown', 'scroll']) {
    document.addEventListener(name, hide, options)
  }
  return () => {
    clearTimeout(timer)
    ended.abort()
  }
}

const withTooltip = (target: EventTarget | null): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>('[data-tooltip]')) || undefined
