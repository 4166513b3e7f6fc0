import type { Log } from '../../../kernel/index.ts'
import type { Signals } from '../../foundation/signals/signals.ts'
import type { Subscriptions } from './subscriptions.ts'

const everyMs = 1000

/** The topic of the signal that webhooks have changed. */
export const webhooksTopic = 'webhooks'

/**
 * Reloads the webhooks when another process signals a change, and every second in any case: the table is
 * small, and a process that missed a signal would otherwise not report changes. The result stops that.
 */
export function keepFresh(subscriptions: Subscriptions, signals: Signals | undefined, log: Log): () => void {
  let isFailing = false

  async function reload(): Promise<void> {
    try {
      await subscriptions.reload()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'webhooks could not be read; those known so far go on')
      isFailing = true
    }
  }

  const stopListening = signals?.onSignal(webhooksTopic, () => void reload())
  const timer = setInterval(() => void reload(), everyMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    stopListening?.()
  }
}
