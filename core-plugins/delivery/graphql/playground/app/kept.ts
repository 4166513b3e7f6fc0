/** A sent operation without its headers, which may contain credentials. */
export interface KeptOperation {
  readonly query: string
  readonly variables: string
}

const currentKey = 'mortise.graphql.current'
const historyKey = 'mortise.graphql.history'
const mostKept = 50

/** Kept in session storage, which ends with the tab, since variables may contain secrets. */
export const current = (): KeptOperation | undefined => read<KeptOperation>(currentKey)

export const keepCurrent = (operation: KeptOperation): void => write(currentKey, operation)

/** Newest first. */
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
    // Too large for the storage; the operation still works without it.
  }
}
