/** Shares work between concurrent callers: it runs once, and is aborted when all of them have left. */
export interface SharedAnswers<Answer> {
  /** Joins the running work for this key, or starts it. Rejects when the caller leaves. */
  get(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>
}

interface Shared<Answer> {
  readonly answer: Promise<Answer>
  readonly controller: AbortController
  callers: number
}

export function createSharedAnswers<Answer>(): SharedAnswers<Answer> {
  const underWay = new Map<string, Shared<Answer>>()

  function begin(key: string, work: (signal: AbortSignal) => Promise<Answer>): Shared<Answer> {
    const controller = new AbortController()
    const answer = work(controller.signal).finally(() => {
      if (underWay.get(key) === shared) underWay.delete(key)
    })
    const shared: Shared<Answer> = { answer, controller, callers: 0 }
    underWay.set(key, shared)
    return shared
  }

  return {
    async get(key, signal, work) {
      const shared = underWay.get(key) ?? begin(key, work)
      shared.callers += 1
      const left = leaving(signal)
      try {
        return await Promise.race([shared.answer, left.promise])
      } finally {
        left.forget()
        shared.callers -= 1
        if (shared.callers === 0) {
          if (underWay.get(key) === shared) underWay.delete(key)
          shared.controller.abort()
        }
      }
    },
  }
}

function leaving(signal: AbortSignal) {
  let forget = () => {}
  const promise = new Promise<never>((_, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    forget = () => signal.removeEventListener('abort', leave)
  })
  return { promise, forget: () => forget() }
}
