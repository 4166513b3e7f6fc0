import { useEffect, useRef, useState } from 'react'

/** Long enough for the next letter, short enough to seem at once. */
const pauseMs = 200

/** A text that is sent on when whoever types it pauses: what is in the input, and how to change it. */
export function usePausedText(text: string, onPause: (text: string) => void) {
  const [typed, setTyped] = useState(text)
  const sent = useRef(text)
  // Going back changes the words without typing.
  useEffect(() => {
    if (text !== sent.current) setTyped(text)
    sent.current = text
  }, [text])
  useEffect(() => {
    if (typed === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed
      onPause(typed)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed, onPause])
  return [typed, setTyped] as const
}
