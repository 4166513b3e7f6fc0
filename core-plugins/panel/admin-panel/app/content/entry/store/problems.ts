import { isWithin, type ValuePath } from '../../schema/value-path.ts'
import { createSubscriptions, type Listener } from './subscriptions.ts'

/** A validation problem that the service reported for a value. */
export interface Problem {
  readonly path: ValuePath
  readonly message: string
}

/** The problems of a form; each is kept until its value changes. */
export interface Problems {
  all(): readonly Problem[]
  /** What to show beside the field: its messages in one text, or undefined. */
  at(path: ValuePath): string | undefined
  set(problems: readonly Problem[]): void
  /** Removes the problems of a changed value and of the values inside it. */
  clear(path: ValuePath): void
  subscribe(path: ValuePath, listener: Listener): () => void
}

export function createProblems(): Problems {
  const subscriptions = createSubscriptions()
  let all: readonly Problem[] = []

  function replace(next: readonly Problem[]) {
    const concerned = [...all, ...next].map(({ path }) => path)
    all = next
    subscriptions.notify(concerned)
  }

  return {
    all: () => all,
    at(path) {
      const messages = all.filter((problem) => problem.path === path).map(({ message }) => message)
      return messages.length === 0 ? undefined : messages.join('; ')
    },
    set: replace,
    clear(path) {
      if (all.some((problem) => isWithin(problem.path, path))) {
        replace(all.filter((problem) => !isWithin(problem.path, path)))
      }
    },
    subscribe: subscriptions.add,
  }
}
