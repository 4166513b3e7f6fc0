/** What was sent, without its headers, which may hold credentials. */
export interface KeptOperation {
  readonly query: string
  readonly variables: string
}

const currentKey = 'mortise.graphql.current'
const historyKey = 'mortise.graphql.history'
const mostKept = 50

/** All of it is gone when the tab is closed: variables may hold what is secret. */
export const current = (): KeptOperation | undefined => read<KeptOperation>(currentKey)

export const keepCurrent = (operation: KeptOperation): void => write(currentKey, operation)

/** The newest first. */
export const history = (): readonly KeptOperation[] => read<KeptOperation[]>(historyKey) ?? []

export function remember(operation: KeptOperation): void {
  const others = history().filter(
    ({ query, variables }) => query !== operation.query || variables !== operation.variables,
  )
  write(historyKey, [operation, ...others].slice(0, mostKept))
}

export const forget = (): void => sessionStorage.removeItem(historyKey)

function read<Value>(key: string): Value | undefined {
  const text = sessionStorage.getItem(key)
  return text === null ? undefined : (JSON.parse(text) as Value)
}

function write(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // It is too large to be kept, and can be used all the same.
  }
}
