import { useEffect, useRef, useState } from 'react'

/** Long enough to type the next letter, short enough to seem immediate. */
const pauseMs = 200

/** Text that is passed on when typing pauses: returns the input's text and its setter. */
export function usePausedText(text: string, onPause: (text: string) => void) {
  const [typed, setTyped] = useState(text)
  const sent = useRef(text)
  // Browser navigation changes the text without typing.
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
